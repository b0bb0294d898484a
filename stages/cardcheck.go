package stages

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"capgraph/folder"
)

// CardCheck is what is found of a card: what it declares and the folder does not have, and, for a
// card that is otherwise not as capgraph writes it, in what.
type CardCheck struct {
	Name   string
	Wrong  []string
	Edited string
}

// What a card declares, as cardHead has it.
var (
	cardMadeBy   = regexp.MustCompile(`(?m)^(\d+) captions?\. Made by\n\n    (.*)\n\nwith capgraph (\S+)\. `)
	cardCaptions = regexp.MustCompile(`(?m)^(\d+) captions?\. `)
	cardConfigs  = regexp.MustCompile(`(?m)^configs:\n(?:[- ].*\n)*`)
)

// CheckCard compares the card of a folder, if it has one, with the card that this version of
// capgraph would write of texts of so many captions. The command that made the folder is known
// from the card alone.
func CheckCard(state *folder.State, version string, captions int64) (found CardCheck, err error) {
	found.Name = state.Folder.Path(cardName)
	card, err := readCard(state.Folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found, nil
	case errors.Is(err, ErrNotCard):
		found.Edited = ErrNotCard.Error()
		return found, nil
	case err != nil:
		return found, err
	}
	if said := cardCaptions.FindStringSubmatch(card); said != nil && said[1] != fmt.Sprint(captions) {
		found.Wrong = append(found.Wrong, fmt.Sprintf("it says %s captions, and texts/ has %d", said[1], captions))
	}
	if configs := cardConfigs.FindString(card); configs != "" && configs != cardConfigs.FindString(cardHead) {
		found.Wrong = append(found.Wrong, "its configs are others than those by which datasets.load_dataset finds texts/ and graphs/")
	}
	command := ""
	if made := cardMadeBy.FindStringSubmatch(card); made != nil {
		if command = made[2]; made[3] != version { // whose cards may say other things
			return found, nil
		}
	}
	want, err := cardOf(state, version, command, captions)
	if err != nil || len(found.Wrong) > 0 {
		return found, err
	}
	is, should := strings.Split(card, "\n"), strings.Split(want, "\n")
	for i := range max(len(is), len(should)) {
		if i >= len(is) || i >= len(should) || is[i] != should[i] {
			found.Edited = fmt.Sprintf("from line %d on it is not as capgraph writes it", i+1)
			break
		}
	}
	return found, nil
}
