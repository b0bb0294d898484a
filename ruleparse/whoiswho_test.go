package ruleparse

import "testing"

// TestWhoIsWho has each way of telling the things of a long caption apart: what is not sure is a second thing, or is not
// said.
func TestWhoIsWho(t *testing.T) {
	compare(t, []construction{
		{"sex", "A woman holds a bag. The man wears a hat.", "woman bag man hat | woman holds/hold bag, man wears/wear hat"},
		{"bride and groom", "A groom stands by a car. The bride holds flowers.", "groom car bride flowers | groom stands by/stand by car, bride holds/hold flowers"},
		{"roles", "A waiter carries a tray. The chef wears a hat.", "waiter tray chef hat | waiter carries/carry tray, chef wears/wear hat"},
		{"age", "A baby lies in a crib. The man holds a bottle.", "baby crib man bottle | baby lies in/lie in crib, man holds/hold bottle"},
		{"another, and the first", "A man wears a hat. Another man holds an umbrella. The first man rides a bicycle.", "man[first] hat man umbrella bicycle | man wears/wear hat, man rides/ride bicycle, man holds/hold umbrella"},
		{"the other of two", "Two dogs play on a beach. One dog carries a stick. The other dog wears a collar.", "dogs×two beach dog×one stick dog collar | dogs play on/play on beach, dog carries/carry stick, dog wears/wear collar"},
		{"one and the other", "Two dogs play on a beach. One is black, and the other is white.", "dogs×two beach one[;black] | dogs play on/play on beach"},
		{"the first and the second", "Two buses stand at a station. The first is red. The second is blue.", "buses×two station | buses stand at/stand at station"},
		{"both", "Two women walk on a street. Both wear red coats.", "women×two street coats[red] | women walk on/walk on street"},
		{"a third", "Two cars are parked on a street. A third car is red.", "cars×two street car[third,;red] | cars are parked on/park on street"},
		{"two of them", "Several people sit at a table. Two of them wear hats.", "people×several table hats | people sit at/sit at table"},
		{"one of them", "Three boys stand on a field. One of them holds a ball.", "boys×three field ball | boys stand on/stand on field"},
		{"all of them", "Three boys stand on a field. All of them wear caps.", "boys×three field caps | boys stand on/stand on field, boys wear/wear caps"},
		{"the group", "Several children play in a park. The group wears yellow vests.", "children×several park vests[yellow] | children play in/play in park, children wears/wear vests"},
		{"they", "A group of tourists stands by a bus. They carry backpacks.", "tourists×a group of bus backpacks | tourists stands by/stand by bus, tourists carry/carry backpacks"},
		{"it", "A train crosses a bridge. It is red.", "train[;red] bridge | train crosses/cross bridge"},
		{"its of what is before the clause", "In front of the house, a tree stands. Its branches are bare.", "house tree branches[;bare] | tree in front of/in front of house, tree has/have branches"},
		{"who wears", "A woman who is wearing a raincoat crosses a road. A dog sits on a rug.", "woman raincoat road dog rug | woman is wearing/wear raincoat, woman crosses/cross road, dog sits on/sit on rug"},
		{"he and she", "A woman and a man sit on a bench. She wears a coat. He reads a newspaper.", "woman man bench coat newspaper | woman sit on/sit on bench, woman wears/wear coat, man sit on/sit on bench, man reads/read newspaper"},
	})
}
