package negatives

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// sentencesOf are the positives of a caption that are sentences; its nouns are the objects of its graph.
func sentencesOf(t *testing.T, tags string) (all []string) {
	t.Helper()
	c := tagged(tags)
	for i := range c.Tokens {
		if strings.HasPrefix(c.Tokens[i].Tag, "NN") {
			c.Graph.Objects = append(c.Graph.Objects, spanned(&c, i))
		}
	}
	pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{c}})
	for _, p := range pools[0].Positives {
		if p.Kind == schemas.KindSentence {
			all = append(all, p.Text)
		}
	}
	return all
}

// TestSentencesAlone has the sentences of a caption that can be read alone as positives.
func TestSentencesAlone(t *testing.T) {
	const (
		dog  = "A/DT dog/NN lies/VBZ on/IN a/DT rug/NN "
		bus  = "A/DT bus/NN waits/VBZ at/IN a/DT light/NN "
		stop = "./. "
	)
	for _, c := range []struct {
		name, tags string
		want       []string
	}{
		{"one sentence", dog + stop, nil},
		{"two", dog + stop + bus + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"a pronoun needs the sentence before", dog + stop + "It/PRP has/VBZ a/DT ball/NN under/IN a/DT paw/NN " + stop + bus + stop, []string{"A dog lies on a rug.", "A dog lies on a rug. It has a ball under a paw.", "A bus waits at a light."}},
		{"a pronoun for what is not named", dog + stop + "A/DT tree/NN stands/VBZ behind/IN it/PRP in/IN a/DT pot/NN " + stop + bus + stop, []string{"A dog lies on a rug.", "A dog lies on a rug. A tree stands behind it in a pot.", "A bus waits at a light."}},
		{"a pronoun without one", "It/PRP has/VBZ a/DT ball/NN under/IN a/DT paw/NN " + stop + bus + stop, []string{"A bus waits at a light."}},
		{"a pronoun of the sentence itself", dog + "with/IN its/PRP$ toy/NN " + stop + bus + stop, []string{"A dog lies on a rug with its toy.", "A bus waits at a light."}},
		{"a pronoun after a phrase", dog + stop + "In/IN a/DT coat/NN ,/, he/PRP sits/VBZ on/IN a/DT bench/NN " + stop + bus + stop, []string{"A dog lies on a rug.", "A dog lies on a rug. In a coat, he sits on a bench.", "A bus waits at a light."}},
		{"its, of several", dog + stop + "Trees/NNS and/CC cars/NNS are/VBP in/IN its/PRP$ reflection/NN " + stop + bus + stop, []string{"A dog lies on a rug.", "A dog lies on a rug. Trees and cars are in its reflection.", "A bus waits at a light."}},
		{"an adverb that joins", dog + stop + "Additionally/RB ,/, a/DT bus/NN waits/VBZ at/IN a/DT light/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"another one", dog + stop + "Another/DT dog/NN sits/VBZ on/IN a/DT bench/NN " + stop, []string{"A dog lies on a rug."}},
		{"another one after the first", dog + stop + "Another/DT dog/NN sits/VBZ on/IN a/DT bench/NN " + stop + bus + stop, []string{"A dog lies on a rug.", "A dog lies on a rug. Another dog sits on a bench.", "A bus waits at a light."}},
		{"one and the other", dog + stop + "A/DT bus/NN has/VBZ lights/NNS ,/, one/CD red/JJ and/CC the/DT other/JJ green/JJ " + stop, []string{"A dog lies on a rug.", "A bus has lights, one red and the other green."}},
		{"what nobody sees is cut", dog + stop + strings.TrimSpace(bus) + " ,/, adding/VBG warmth/NN to/TO the/DT scene/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"a clause with a subject of its own", dog + stop + strings.TrimSpace(bus) + " ,/, its/PRP$ colour/NN adding/VBG warmth/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"a guess", dog + stop + "Perhaps/RB a/DT bus/NN waits/VBZ at/IN a/DT light/NN " + stop, []string{"A dog lies on a rug."}},
		{"a picture of no more than a noun", dog + stop + "The/DT image/NN shows/VBZ a/DT scene/NN " + stop, []string{"A dog lies on a rug."}},
		{"no more than a noun", dog + stop + "The/DT scene/NN is/VBZ very/RB calm/JJ " + stop, []string{"A dog lies on a rug."}},
		{"cut off at the end", dog + stop + bus, []string{"A dog lies on a rug."}},
		{"no verb", dog + stop + "A/DT bus/NN at/IN a/DT light/NN in/IN town/NN " + stop, []string{"A dog lies on a rug."}},
		{"a place before what nobody sees", dog + stop + "Despite/IN the/DT cold/NN ,/, a/DT bus/NN waits/VBZ at/IN a/DT light/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"a thing with what is said of it", dog + stop + "The/DT bus/NN ,/, standing/VBG at/IN a/DT light/NN ,/, seem/VBZ quiet/JJ " + stop, []string{"A dog lies on a rug."}},
		{"a subject whose verb nobody sees", dog + stop + "The/DT trees/NNS lining/VBG a/DT street/NN add/VBP warmth/NN " + stop, []string{"A dog lies on a rug."}},
		{"adjectives before what nobody sees", dog + stop + strings.TrimSpace(bus) + " ,/, in/IN soft/JJ shadows/NNS and/CC a/DT calm/NN ,/, muted/JJ mood/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"an open quotation", dog + stop + "A/DT bus/NN bears/VBZ the/DT name/NN 'Str/NN ./. Drenova/NN '/POS on/IN a/DT door/NN " + stop, []string{"A dog lies on a rug."}},
		{"a possessive", dog + stop + "A/DT bus/NN waits/VBZ at/IN the/DT dogs/NNS '/POS house/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at the dogs ' house."}},
		{"no more than a judgement", dog + stop + "The/DT play/NN of/IN light/NN and/CC shadow/NN is/VBZ really/RB striking/JJ " + stop, []string{"A dog lies on a rug."}},
		{"a thing in a place of the picture", dog + stop + "On/IN the/DT left/NN ,/, a/DT bus/NN is/VBZ seen/VBN " + stop, []string{"A dog lies on a rug.", "On the left, a bus is seen."}},
		{"both sides", dog + stop + "A/DT bus/NN has/VBZ lights/NNS on/IN both/DT sides/NNS " + stop, []string{"A dog lies on a rug.", "A bus has lights on both sides."}},
		{"this picture", dog + stop + "In/IN this/DT picture/NN a/DT bus/NN waits/VBZ at/IN a/DT light/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"both of two", dog + stop + "Two/CD buses/NNS wait/VBP at/IN a/DT light/NN " + stop + "Both/DT have/VBP lights/NNS on/IN a/DT roof/NN " + stop, []string{"A dog lies on a rug.", "Two buses wait at a light.", "Two buses wait at a light. Both have lights on a roof."}},
		{"the other of one", dog + stop + bus + stop + "The/DT other/JJ bus/NN has/VBZ lights/NNS on/IN a/DT roof/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"this bus", dog + stop + "This/DT bus/NN waits/VBZ at/IN a/DT light/NN " + stop, []string{"A dog lies on a rug."}},
		{"a list with labels", dog + stop + "-/: Street/NN :/: a/DT bus/NN waits/VBZ at/IN a/DT light/NN " + stop, []string{"A dog lies on a rug.", "A bus waits at a light."}},
		{"three about one thing", dog + stop + "It/PRP has/VBZ a/DT ball/NN and/CC a/DT bone/NN " + stop + "It/PRP wears/VBZ a/DT collar/NN with/IN a/DT bell/NN " + stop + bus + stop, []string{"A dog lies on a rug.", "A dog lies on a rug. It has a ball and a bone.", "A dog lies on a rug. It has a ball and a bone. It wears a collar with a bell.", "A bus waits at a light."}},
		{"a participle before what nobody sees", dog + stop + "The/DT cap/NN ,/, adorned/VBN with/IN a/DT logo/NN ,/, add/VBZ charm/NN " + stop, []string{"A dog lies on a rug.", "The cap is adorned with a logo."}},
		{"several with a participle", dog + stop + "The/DT caps/NNS ,/, made/VBN of/IN wool/NN ,/, add/VBP charm/NN " + stop, []string{"A dog lies on a rug.", "The caps are made of wool."}},
		{"a capital of more than a byte", dog + stop + "écru/JJ caps/NNS ,/, made/VBN of/IN wool/NN ,/, add/VBP charm/NN " + stop, []string{"A dog lies on a rug.", "Écru caps are made of wool."}},
		{"a participle that compares", dog + stop + "The/DT cap/NN ,/, shaped/VBN like/IN a/DT boat/NN ,/, add/VBZ charm/NN " + stop, []string{"A dog lies on a rug."}},
		{"a new thing in a place", dog + stop + "In/IN a/DT corner/NN of/IN a/DT room/NN ,/, a/DT red/JJ shack/NN add/VBZ colour/NN " + stop, []string{"A dog lies on a rug.", "In a corner of a room, there is a red shack."}},
		{"a known thing in a place", dog + stop + "In/IN a/DT corner/NN ,/, the/DT red/JJ shack/NN add/VBZ colour/NN " + stop, []string{"A dog lies on a rug."}},
		{"a posture before what nobody sees", dog + stop + "Near/IN a/DT bench/NN ,/, a/DT bin/NN stand/VBZ at/IN attention/NN " + stop, []string{"A dog lies on a rug.", "Near a bench, a bin stand."}},
		{"letters of two bytes", dog + stop + "École/NN buses/NNS wait/VBP at/IN a/DT light/NN " + stop, []string{"A dog lies on a rug.", "École buses wait at a light."}},
	} {
		tags := strings.ReplaceAll(c.tags, "adding/VBG", "add/VBG") // whose lemma tagged does not know
		got := sentencesOf(t, tags)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNegativesOfSentences changes the sentence that is a positive, and not the whole caption.
func TestNegativesOfSentences(t *testing.T) {
	c := tagged("A/DT dog/NN lies/VBZ on/IN the/DT left/JJ side/NN of/IN a/DT bench/NN ./. A/DT bus/NN waits/VBZ at/IN a/DT light/NN ./.")
	for i := range c.Tokens {
		if c.Tokens[i].Tag == "NN" {
			c.Graph.Objects = append(c.Graph.Objects, spanned(&c, i))
		}
	}
	opts := Defaults()
	opts.Methods = []string{"reverse_direction"}
	pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
	n := pools[0].Negatives
	if len(n) != 1 || n[0].Text != "A dog lies on the right side of a bench." || pools[0].Positives[n[0].Of].Text != "A dog lies on the left side of a bench." || n[0].Category != schemas.CategoryRelation {
		t.Errorf("%+v", n)
	}
}

// TestLateChangesAreLeftOut makes no negative of a long caption whose change encoders of text do not see.
func TestLateChangesAreLeftOut(t *testing.T) {
	early := "A/DT dog/NN on/IN the/DT left/JJ ./. "
	filler := strings.Repeat("It/PRP is/VBZ here/RB ./. ", 20)
	late := "It/PRP is/VBZ on/IN the/DT left/JJ ./."
	opts := Defaults()
	opts.Methods = []string{"reverse_direction"}
	c := tagged(early + filler + late)
	pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
	if n := pools[0].Negatives; len(n) != 1 || !strings.HasPrefix(n[0].Text, "A dog on the right.") || n[0].Of != 0 {
		t.Errorf("%+v", n)
	}
}

// TestSentencesWithoutAText tells of each sentence that no positive says anything of what keeps it from being one.
func TestSentencesWithoutAText(t *testing.T) {
	const text = "A dog lies on a red rug. The overall mood is calm. It was there. A bus waits at a light. It stands by the"
	c := parsed(t, text)
	c.Graph.KeepAsserted()
	g, err := New(Defaults(), testVocabulary(t, testCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	drops := Drops{Unsaid: func(s UnsaidSentence) { got = append(got, fmt.Sprint(s.Caption, " ", s.Text, " ", s.Why)) }}
	if err := g.Texts(context.Background(), &Image{Key: "i", Captions: []Caption{c}}, make([]schemas.Pool, 1), &drops); err != nil {
		t.Fatal(err)
	}
	want := []string{"0 The overall mood is calm. not seen: overall", "0 It was there. shows little", "0 It stands by the cut off"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOwnersAreNamed names the owner of what a sentence begins with.
func TestOwnersAreNamed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"A plane is on a runway. A fence is behind the runway. The overall mood is calm. Its tail is red.", ""}, // of which of them?
		{"A man sits on a rock. A red flag hangs on a wall. The overall mood is calm. His hands are on his knees.", "The man's hands are on his knees."},
		{"Two men sit on a rock. A red flag hangs on a wall. The overall mood is calm. Their hands are on their knees.", "The men's hands are on their knees."},
		{"A man and another man sit on a rock. A red flag hangs on a wall. The overall mood is calm. His hands are on his knees.", ""},
	} {
		caption := parsed(t, c.text)
		pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{caption}})
		got := ""
		for _, p := range pools[0].Positives {
			if p.Kind == schemas.KindSentence && strings.Contains(p.Text, "'s ") || strings.Contains(p.Text, "s' ") {
				got = p.Text
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
