package vocabulary

// Uses counts how often a noun occurs after "a", after "the", bare in the singular, and in the
// plural. First counts bare nouns at the beginning of a caption, which tell little about articles.
// Names counts spellings as a proper name, which are in the other counts too.
type Uses struct{ A, The, Bare, Plural, First, Names int64 }

// countForm adds a count of a form.
func (u *Uses) countForm(form string, n int64) {
	switch form {
	case "a":
		u.A += n
	case "the":
		u.The += n
	case "bare":
		u.Bare += n
	case "first":
		u.First += n
	case "name":
		u.Names += n
	case "plural":
		u.Plural += n
	}
}

func (u Uses) Sum() int64 { return u.A + u.The + u.Bare + u.Plural + u.First }

// Mass reports whether the noun mostly takes no article, as "snow".
func (u Uses) Mass() bool { return u.Bare > 2*u.A && 2*u.Bare > 3*u.Plural }

// Countable reports whether the noun is used with "a", or is unknown.
func (u Uses) Countable() bool { return !u.Mass() && (u.A > 0 || u == Uses{}) }

// Definite reports whether the noun mostly has "the", as "ground".
func (u Uses) Definite() bool { return u.The > 2*(u.A+u.Bare+u.Plural+u.First) }

// Pluralises reports whether the noun is used in the plural, or is unknown.
func (u Uses) Pluralises() bool { return u.Plural > 0 && 20*u.Plural > u.Bare+u.First || u == Uses{} }

// measureBareness returns how many times as often the corpus omits articles as other captions do.
// It compares nouns that these mostly have with "a".
func measureBareness(corpus, others map[string]Uses) int64 {
	var here, there Uses
	for noun, u := range others {
		if u.A >= Few && u.A > 4*u.Bare {
			own := corpus[noun]
			here.A, here.Bare = here.A+own.A, here.Bare+own.Bare
			there.A, there.Bare = there.A+u.A, there.Bare+u.Bare
		}
	}
	if here.Bare < Few || there.Bare == 0 {
		return 1
	}
	return max(1, here.Bare*there.A/(max(1, here.A)*there.Bare))
}
