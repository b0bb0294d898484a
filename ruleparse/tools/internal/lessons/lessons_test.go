package lessons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/ruleparse/tools/internal/examples"
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

func TestAlignAnswersWhatTheGraphSays(t *testing.T) {
	source := &examples.Source{Reader: embeddedReader(t)}
	in := `{"text":"a nurse in teal checks a map","objects":[` +
		`{"name":"nurse","begin":2,"end":7,"attributes":[{"text":"in teal","begin":8,"end":15,"form":"post"}]},` +
		`{"name":"map","begin":25,"end":28,"attributes":[]}],` +
		`"relations":[{"subject":0,"predicate":"checks","object":1,"words":[16]}]}` + "\n"
	var out bytes.Buffer
	if err := WriteAligned(source, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var l Lesson
	if err := json.Unmarshal(out.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(l.Labels) != "[0 1 3 4 0 0 1]" || !l.Whole || !l.Written {
		t.Errorf("labels %v, whole %v, written %v", l.Labels, l.Whole, l.Written)
	}
	tie := l.Relations[1].Before[0]
	if tie.Answer < 0 || fmt.Sprint(tie.Options[tie.Answer].Words) != "[4]" {
		t.Errorf("the answer of %+v is not %q", tie, "checks")
	}
	for _, bad := range []string{`{"text":"a dog"}`, `{"text":`} {
		if err := WriteAligned(source, strings.NewReader(bad), &out); err == nil {
			t.Errorf("%s: no error", bad)
		}
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
