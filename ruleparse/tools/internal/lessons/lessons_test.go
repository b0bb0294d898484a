package lessons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/tokens"
)

func TestAskListsWhatIsToBeDecided(t *testing.T) {
	p := embeddedReader(t)
	in := `{"text":"a black dog on a red sofa","labels":[0,3,1,0,0,3,1]}` + "\n" + `{"text":"","labels":[]}` + "\n"
	var out bytes.Buffer
	if err := WriteDecisions(p, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&out)
	var l, empty Lesson
	if err := d.Decode(&l); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode(&empty); err != nil || len(empty.Nodes) > 0 {
		t.Errorf("an empty caption: %+v, %v", empty, err)
	}
	want := []LessonNode{{1, 2, true}, {2, 3, false}, {5, 6, true}, {6, 7, false}}
	if fmt.Sprint(l.Nodes) != fmt.Sprint(want) {
		t.Errorf("nodes %v, want %v", l.Nodes, want)
	}
	if len(l.Owners) != 2 || fmt.Sprint(l.Owners[0]) != "{0 [1 3] -1}" {
		t.Errorf("owners %v: black may be of the dog and of the sofa", l.Owners)
	}
	if len(l.Relations) != 2 || len(l.Relations[1].Before) != 1 {
		t.Fatalf("relations %v: the sofa has one object before it", l.Relations)
	}
	said := false
	for _, o := range l.Relations[1].Before[0].Options {
		said = said || fmt.Sprint(o) == "{[3] 0}"
	}
	if !said {
		t.Errorf("options %v: %q is not among them", l.Relations[1].Before[0].Options, "on")
	}
}

func TestAskRefusesLabelsThatDoNotFit(t *testing.T) {
	p := embeddedReader(t)
	for _, bad := range []string{
		`{"text":"a dog","labels":[0]}`,
		`{"text":"a dog","labels":[0,2]}`,
		`{"text":"a dog","labels":[0,7]}`,
		`{"text":"a dog","labels":[0,-1]}`,
		`{"text":`,
	} {
		if err := WriteDecisions(p, strings.NewReader(bad), &bytes.Buffer{}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// embeddedReader returns the reader of the embedded model.
func embeddedReader(t testing.TB) *tokens.Reader {
	t.Helper()
	m, err := model.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return m.Reader
}
