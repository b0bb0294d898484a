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
		{"a count of another noun", "A couple sits on a bench. The two people are holding hands.", "couple bench hands | couple sits on/sit on bench, couple are holding/hold hands"},
		{"a count of the same noun", "A group of children plays in a park. The five children wear yellow vests.", "children×five park vests[yellow] | children plays in/play in park, children wear/wear vests"},
		{"the second has no noun", "Two hikers rest on a rock. The first is wearing a green scarf, and the second has a red backpack.", "hikers×two rock scarf[green] backpack[red] | hikers rest on/rest on rock"},
		{"each of a list", "There are three dogs on a beach: the first has a stick, the second is chasing a ball.", "dogs×three beach stick ball | dogs on/on beach"},
		{"one, and the other", "Two women walk on a street. One is holding a cup, and the other is carrying a bag.", "women×two street cup bag | women walk on/walk on street"},
	})
}

// TestRelativeClauses has verbs that a conjunction joins with the verb of a relative clause: they are about the same.
func TestRelativeClauses(t *testing.T) {
	compare(t, []construction{
		{"one form", "A bride stands with her groom, who is wearing a gray suit and holding a bouquet.", "bride groom suit[gray] bouquet | bride stands with/stand with groom, groom is wearing/wear suit, groom holding/hold bouquet"},
		{"both of two clauses", "A groom who is wearing a suit and holding an umbrella stands beside a bride who is wearing a veil and carrying flowers.", "groom suit umbrella bride veil flowers | groom is wearing/wear suit, groom holding/hold umbrella, groom stands beside/stand beside bride, bride is wearing/wear veil, bride carrying/carry flowers"},
		{"finite verbs", "A man walks beside a girl who wears a yellow coat and carries a doll.", "man girl coat[yellow] doll | man walks beside/walk beside girl, girl wears/wear coat, girl carries/carry doll"},
		{"another form", "A man stands beside a girl who is wearing a yellow coat and holds an umbrella.", "man girl coat[yellow] umbrella | man stands beside/stand beside girl, man holds/hold umbrella, girl is wearing/wear coat"},
		{"of a thing", "A woman holds a dog that is wearing a collar and licking her face.", "woman dog collar face | woman holds/hold dog, dog is wearing/wear collar, dog licking/lick face"},
		{"who, after an object", "A man is talking to a woman who is sitting on a bench and holding a newspaper.", "man woman bench newspaper | man is talking to/talk to woman, woman is sitting on/sit on bench, woman holding/hold newspaper"},
		{"the verb after two worn things", "A woman who wears a hat and a scarf walks beside a man.", "woman hat scarf man | woman wears/wear hat, woman walks beside/walk beside man"},
		{"a conjunction without a relative clause", "A cat sits on a bed and looks at a man.", "cat bed man | cat sits on/sit on bed, cat looks at/look at man"},
	})
}
