package negatives

import (
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/plausible"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// TestJudgeTurnsAwayWhatNobodySays takes of animals those that captions have somebody riding,
// and says of each how it was judged.
func TestJudgeTurnsAwayWhatNobodySays(t *testing.T) {
	corpus := slices.Concat(
		countsOf(vocabulary.Object, "horse", "elephant", "fish"), countsOf(vocabulary.Usage, "horse\ta", "elephant\ta", "fish\ta", "man\ta"),
		countsOf(vocabulary.Between, "man\thorse\triding"),
		countsOf(vocabulary.ObjectOf, "riding\telephant", "riding\thorse", "riding\tfish"),
	)
	vocab, err := NewVocabulary(slices.Values(corpus), Defaults())
	if err != nil {
		t.Fatal(err)
	}
	caption := Caption{Text: "here", Graph: schemas.SceneGraph{
		Objects: []schemas.Object{object("man"), object("horse")}, Relations: []schemas.Relation{{Subject: 0, Predicate: "riding", Lemma: "ride", Object: 1}},
	}}
	judge := func(cut float64) (scores map[string]float64, got []string, implausible int64) {
		scores = map[string]float64{}
		vocab.judgement.Cuts[methods.ReplaceObject] = cut
		opts := with(methods.ReplaceObject)
		opts.Candidates = 20
		g, err := New(opts, vocab, 7)
		if err != nil {
			t.Fatal(err)
		}
		pools := make([]schemas.Pool, 1)
		drops := Drops{Judged: func(j Judged) {
			if len(j.Evidence) != len(plausible.EvidenceNames(methods.ReplaceObject)) || j.Cut != cut {
				t.Errorf("%q: %d numbers and cut %v, want %d and %v", j.Text, len(j.Evidence), j.Cut, len(plausible.EvidenceNames(methods.ReplaceObject)), cut)
			}
			scores[j.Text[strings.LastIndexByte(j.Text, ' ')+1:]] = j.Score
		}}
		if err := g.Texts(t.Context(), &Image{Key: "i", Captions: []Caption{caption}}, pools, &drops); err != nil {
			t.Fatal(err)
		}
		return scores, negTexts(pools[0]), drops.N[ReasonImplausible]
	}
	scores, got, before := judge(math.Inf(-1))
	if !mentions(got, "elephant") || !mentions(got, "fish") || scores["elephant"] <= scores["fish"] {
		t.Fatalf("%q, judged %v", got, scores)
	}
	if _, got, after := judge((scores["elephant"] + scores["fish"]) / 2); !mentions(got, "elephant") || mentions(got, "fish") || after <= before {
		t.Errorf("%q of %v, %d implausible, before %d", got, scores, after, before)
	}
}

// TestJudgementIsWhole has a weight for each number that the judge goes by, and a cut for each
// method.
func TestJudgementIsWhole(t *testing.T) {
	for m := range methods.Names {
		for _, name := range plausible.EvidenceNames(methods.Method(m)) {
			first := methods.Names[slices.IndexFunc(methods.Names[:], func(n string) bool {
				return plausible.GroupOf(methods.Method(slices.Index(methods.Names[:], n))) == plausible.GroupOf(methods.Method(m))
			})]
			if !strings.Contains("\n"+plausible.JudgeFile, "\n"+first+"\t"+name+"\t") {
				t.Errorf("judge.tsv has no weight of %s, %s", first, name)
			}
		}
		if judged := plausible.GroupOf(methods.Method(m)) < plausible.GroupCount; judged != strings.Contains("\n"+plausible.JudgeFile, "\n"+methods.Names[m]+"\tcut\t") {
			t.Errorf("%s is judged: %v, and judge.tsv says otherwise", methods.Names[m], judged)
		}
	}
	for _, file := range []string{"", "replace_object\tcut", "replace_object\tcut\tx", "join\tcut\t1", "nothing\tcut\t1", "replace_object\tthe weather\t1"} {
		if _, err := plausible.ReadJudgement(file); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestMethodsThatAreOn leaves out what no reader found good, unless all are asked for.
func TestMethodsThatAreOn(t *testing.T) {
	dogs := related(tagged("a/DT boy/NN chasing/VBG a/DT small/JJ dog/NN"), "chasing", [2]int{1, 1}, [2]int{5, 5})
	for _, c := range []struct {
		methods []string
		swapped bool
	}{{Defaults().Methods, false}, {[]string{methods.All}, true}, {[]string{"swap_nouns"}, true}} {
		opts := Defaults()
		opts.Methods = c.methods
		pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{dogs}})
		if got := negTexts(pools[0]); slices.Contains(got, "a dog chasing a small boy") != c.swapped {
			t.Errorf("%q: %q, swapped %v", c.methods, got, c.swapped)
		}
		if slices.ContainsFunc(pools[0].Negatives, func(n schemas.HardNegative) bool {
			return n.Method == methods.Join.String() || n.Method == methods.Combine.String()
		}) {
			t.Errorf("%q makes what changes two things", c.methods)
		}
	}
}

// TestNounsAndNumbersOfTheCaptionNeedTwoGoodParts rates a negative of the caption itself by its best part, and one with another
// noun or number by that twice.
func TestNounsAndNumbersOfTheCaptionNeedTwoGoodParts(t *testing.T) {
	s := sink{drops: &Drops{}, leastGood: 0.63}
	s.judge.enabled = true
	s.beginCaption(0, &schemas.Pool{Positives: []schemas.Positive{{Confidence: 1}, {Confidence: 0.8}, {Confidence: 0.7}}}, nil, nil)
	for _, x := range []struct {
		method methods.Method
		good   float32
		keep   bool
	}{
		{methods.FillAttribute, 0.72, true}, {methods.FillAction, 0.72, true}, {methods.FillRelation, 0.72, true},
		{methods.FillObject, 0.576, false}, {methods.FillQuantity, 0.576, false},
	} {
		pl := plan{method: x.method}
		s.judge.newClaim(&pl).Settled = true
		if good, keep := s.rateNegative(&pl); keep != x.keep || math.Abs(float64(good-x.good)) > 1e-6 {
			t.Errorf("%s: %v %v, want %v %v", x.method, good, keep, x.good, x.keep)
		}
	}
}
