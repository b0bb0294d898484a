package sources

import "capgraph/store"

// rememberedStore caches the results of Stat and List. Recognise tries each format on the same paths, and an
// object store needs a request for each call.
type rememberedStore struct {
	store.Store
	infos map[string]answer[store.Info]
	lists map[string]answer[[]store.Info]
}

// answer is a cached result.
type answer[T any] struct {
	value T
	err   error
}

func rememberStore(s store.Store) store.Store {
	return &rememberedStore{s, map[string]answer[store.Info]{}, map[string]answer[[]store.Info]{}}
}

func (r *rememberedStore) Stat(name string) (store.Info, error) {
	a, known := r.infos[name]
	if !known {
		a.value, a.err = r.Store.Stat(name)
		r.infos[name] = a
	}
	return a.value, a.err
}

func (r *rememberedStore) List(dir string) ([]store.Info, error) {
	a, known := r.lists[dir]
	if !known {
		a.value, a.err = r.Store.List(dir)
		r.lists[dir] = a
	}
	return a.value, a.err
}
