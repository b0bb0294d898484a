package ruleparse

import "testing"

// relations are sentences of which the relations were misread, written as constructions
// are.
var relations = []construction{
	{"what has an object of its own", "tourist boat is the oldest boat in the town", "tourist boat boat[oldest] town | boat in/in town"},
	{"a verb before both", "A toddler holding chocolate donut with both hands.", "toddler chocolate donut hands×both | toddler holding/hold chocolate donut, toddler holding with/hold with hands"},
	{"a preposition before both", "inside the box is a ring", "box ring | ring inside/inside box"},
	{"in a relative clause", "costumes that dancers wore in the second show", "costumes dancers show[second] | dancers wore/wear costumes, dancers wore in/wear in show"},

	{"what another preposition says", "A freight train riding on rails through a wooded area.", "freight train rails area[wooded] | freight train riding on/ride on rails, rails through/through area"},
	{"what another verb says", "Street sign painted on a wall that looks like a boat.", "street sign wall boat | street sign painted on/paint on wall, wall looks like/look like boat"},
	{"what is owned", "A flock of sheep is feeding at the pond's edge.", "sheep×a flock of pond edge | sheep is feeding at/feed at edge, pond has/have edge"},
	{"another preposition of the same verb", "a woman rides a bike in front of some cars", "woman bike cars | woman rides/ride bike, woman rides in front of/ride in front of cars"},

	{"how something is kept", "A bathroom with a wall mounted toilet", "bathroom toilet[wall mounted] | bathroom with/with toilet"},
	{"how something is made", "A banana flavored ice cream in a cup", "ice cream[banana flavored] cup | ice cream in/in cup"},
	{"in what state something is", "A dog in a rain soaked field", "dog field[rain soaked] | dog in/in field"},
	{"what something did", "the ship carried cargo", "ship cargo | ship carried/carry cargo"},

	{"a noun at the end of a predicate", "A boy taking a self portrait in a mirror.", "boy self portrait mirror | boy taking/take self portrait, self portrait in/in mirror"},
	{"a noun at the end of a predicate", "A tray is full of breakfast foods on a bed.", "tray breakfast foods bed | tray is full of/full of breakfast foods, breakfast foods on/on bed"},

	{"leaping over a pronoun", "A girl holding something in her hand", "girl hand | girl holding something in/hold something in hand"},
	{"leaping over a pronoun", "guests help themselves at a buffet in the hotel", "guests buffet hotel | guests help themselves at/help themselves at buffet, buffet in/in hotel"},
	{"leaping over a preposition", "a monkey sitting down in the middle of the road", "monkey road | monkey sitting down in the middle of/sit down in the middle of road"},
	{"leaping over a verb", "people are gathered to see a blue airship", "people airship[blue] | people are gathered to see/gather to see airship"},
	{"leaping over a backdrop", "a lighthouse on a background of clouds", "lighthouse clouds | lighthouse on a background of/on a background of clouds"},
	{"leaping over a kind", "A woman eating some kind of cake", "woman cake | woman eating/eat cake"},

	{"what is said not to be", "a dog lying down not watching the parrot", "dog parrot"},
	{"what is said not to be", "A woman eating soup without using her spoon", "woman soup spoon | woman eating/eat soup, woman has/have spoon"},
	{"not only", "A horse that not only pulls a cart", "horse cart | horse pulls/pull cart"},
	{"what the writer and the reader do", "i painted this fence and you can visit the garden for free", "fence garden"},

	{"a pronoun after a list", "A room has a sofa, a lamp, and a door with a window in it.", "room sofa lamp door window | room has/have sofa, room has/have lamp, room has/have door, window in/in door"},
	{"a pronoun after a list", "A table with a laptop, phone and other devices sitting on it.", "table laptop phone devices | table with/with laptop, table with/with phone, devices sitting on/sit on table"},
	{"a participle before a pronoun", "A fence with flags hanging from it", "fence flags | fence with/with flags, flags hanging from/hang from fence"},
	{"a participle before a pronoun", "A cushion with a kitten sleeping on it next to a doll.", "cushion kitten doll | cushion with/with kitten, cushion next to/next to doll, kitten sleeping on/sleep on cushion"},

	{"an order after a dash", "the straw hat - get on the boat", "hat[straw] boat"},
	{"a sentence after a dash", "beware of the cat - he 'll steal your fish", "cat fish"},
	{"a sentence after an ellipsis", "lamp ... i need this in my bedroom !", "lamp bedroom"},
	{"what goes on after a dash", "local ships - in the harbour with the tall crane", "ships[local] harbour crane[tall] | ships in/in harbour, harbour with/with crane"},
	{"what goes on after an ellipsis", "a butterfly looking for nectar ... will pollinate a flower", "butterfly nectar flower | butterfly looking for/look for nectar, butterfly pollinate/pollinate flower"},

	{"a participle after a possessive", "the team celebrates its winning goal", "team goal[winning]"},
	{"a participle after an article", "sailors greet an arriving ferry", "sailors ferry[arriving] | sailors greet/greet ferry"},
	{"a participle after a pronoun", "Four plates each holding a bun", "plates×four bun | plates holding/hold bun"},

	{"a clause cut off", "buildings a large girl if", "buildings girl[large]"},

	{"leaping over a noun", "rooms with views towards the castle", "rooms castle | rooms with views towards/with view towards castle"},
	{"leaping over a noun", "A brown cow stares at something in the yard", "cow[brown] yard | cow stares at something in/stare at something in yard"},
	{"leaping over a place", "Two toys hang from the inside of a bus.", "toys×two bus | toys hang from the inside of/hang from the inside of bus"},
	{"leaping over nothing", "A cat sitting inside of a sink", "cat sink | cat sitting inside/sit inside sink"},
	{"worn things before a finite verb", "A boy wearing pants and a shirt holds a tennis racket.", "boy pants shirt tennis racket | boy wearing/wear pants, boy wearing/wear shirt, boy holds/hold tennis racket"},
	{"two subjects of a singular verb", "A muffin and fork sits on a table", "muffin fork table | muffin sits on/sit on table, fork sits on/sit on table"},
	{"a verb after what is on what is with", "A dog with a clear cone on its head is watching television.", "dog cone[clear] head television | dog with/with cone, dog is watching/watch television, cone on/on head"},
	{"whose it can be by sex", "Man showing a woman something on his laptop.", "man woman laptop | man showing/show woman, man has/have laptop, woman on/on laptop"},
	{"an unknown noun in -ed", "A young girl sits in the bottom bunk of her bunkbed.", "girl[young] bunk[bottom] bunkbed | girl sits in/sit in bunk, girl has/have bunkbed, bunk of/of bunkbed"},
	{"actors of either sex", "actor singing as she looks over to a guitarist", "actor[;singing] guitarist | actor looks over to/look over to guitarist"},
	{"what has been found", "person has completed a study on leafy streets .", "person study streets[leafy] | person has completed/complete study, person on/on streets"},
	{"a verb and its preposition", "A man in a suit smiling at the camera", "man suit camera | man in/in suit, man smiling at/smile at camera"},
	{"a participle and its preposition", "stop sign bolted to pole", "stop sign pole | stop sign bolted to/bolt to pole"},
	{"a phrasal verb and its preposition", "A small airplane taking off from an airport runway.", "airplane[small] airport runway | airplane taking off from/take off from airport runway"},
	{"a verb that is a noun elsewhere", "A man reaches for a frisbee", "man frisbee | man reaches for/reach for frisbee"},
	{"a participle that is a noun elsewhere", "A woman posing for a photo", "woman photo | woman posing for/pose for photo"},
	{"smiling at", "A child smiles at the camera while eating", "child camera | child smiles at/smile at camera"},
	{"who watches", "a man stands while another man watches", "man[;stands] man[;watches]"},
	{"what happens while", "a small train passing while people take pictures", "train[small,;passing] people[;take pictures]"},
	{"the subject with something on it", "a surfer with sunscreen on his face stands on the beach", "surfer sunscreen face beach | surfer with/with sunscreen, surfer has/have face, surfer stands on/stand on beach, sunscreen on/on face"},
	{"the subject with somebody on top", "a horse with a child on top is standing on a street", "horse child street | horse with/with child, horse is standing on/stand on street"},
	{"the subject of a clause of its own", "a field in which a man in a green shirt is standing in the grass", "field man shirt[green] grass | man in/in shirt, man is standing in/stand in grass"},
	{"somebody beside somebody", "a woman in a dress and a man in a suit", "woman dress man suit | woman in/in dress, man in/in suit"},
	{"somebody with two things", "a woman with a surfboard and a dog", "woman surfboard dog | woman with/with surfboard, woman with/with dog"},
	{"each other, in the singular", "two giraffe standing next to each other", "giraffe×two[;standing next to each other]"},
	{"taking a picture", "A man in a suit takes a selfie", "man[;takes a selfie] suit | man in/in suit"},
	{"taking a picture while holding", "a man holding a baby taking a picture", "man[;taking a picture] baby | man holding/hold baby"},
	{"taking a picture of", "a man taking a picture of a dog", "man dog | man taking a picture of/take a picture of dog"},
	{"what a machine counts up", "image may contain : person , on stage , playing a guitar , night and indoor", "person stage guitar night indoor | person on/on stage, person playing/play guitar"},
	{"matching things", "people in matching shirts", "people shirts[matching] | people in/in shirts"},
	{"with matching things", "a woman in a coat with matching heels", "woman coat heels[matching] | woman in/in coat, woman with/with heels"},
	{"an adjective of who wears something", "A pony wearing a blue vest is running around", "pony[;running] vest[blue] | pony wearing/wear vest"},
	{"an adjective of a clause of its own", "a sign stating an area is restricted", "sign area[;restricted] | sign stating/state area"},
	{"in the background", "A woman holding a white umbrella with a car in the background", "woman umbrella[white] car background | woman holding/hold umbrella, woman with/with car, car in/in background"},
	{"in the background of a mirror", "a truck with a mirror with a bus in the background", "truck mirror bus background | truck with/with mirror, mirror with/with bus, bus in/in background"},
	{"what is ridden", "A man rides a large wave on a surfboard", "man wave[large] surfboard | man rides/ride wave, man on/on surfboard"},
	{"a trick of nobody", "a trick on a skateboard", "trick skateboard | trick on/on skateboard"},
	{"several subjects", "Two men and a woman opening boxes in a room", "men×two woman boxes room | men opening/open boxes, men in/in room, woman opening/open boxes, woman in/in room"},
	{"several subjects, then a place", "A cat and a kitten laying on a bed next to a teddy bear", "cat kitten bed teddy bear | cat laying on/lay on bed, cat next to/next to teddy bear, kitten laying on/lay on bed, kitten next to/next to teddy bear"},
	{"several subjects without an object", "A dog, a cat and a bird are sleeping", "dog[;sleeping] cat[;sleeping] bird[;sleeping]"},
	{"several subjects and what one has", "A spoon and a cup of coffee on a table", "spoon cup coffee table | spoon on/on table, cup of/of coffee, cup on/on table"},
	{"a subject in the singular", "A boat and a man who holds a rope", "boat man rope | man holds/hold rope"},
	{"who alone can do it", "A bench and a man reading a book", "bench man book | man reading/read book"},
	{"each other after a place", "two trucks parked in the grass next to each other", "trucks×two[;next to each other] grass | trucks parked in/park in grass"},
}

func TestRelations(t *testing.T) { compare(t, relations) }
