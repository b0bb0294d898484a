package ruleparse

import "testing"

// nounPhrases are ways of naming things, written as constructions are.
var nounPhrases = []construction{
	{"noun of a noun", "A toddler with a sippy cup near a green exit sign", "toddler cup[sippy] exit sign[green] | toddler with/with cup, toddler near/near exit sign"},
	{"nouns of a noun", "A trip hop artist performs at a club", "artist[trip hop] club | artist performs at/perform at club"},
	{"noun of a noun at the beginning", "organisation founder speaks at an event", "founder[organisation] event | founder speaks at/speak at event"},
	{"noun of a noun after a quantity", "Seven business people in a room", "people×seven[business] room | people in/in room"},
	{"base verb before a compound", "firefighters vent house roof", "firefighters house roof | firefighters vent/vent roof, house has/have roof"},
	{"color of what", "A van with orange color balloons", "van balloons[orange] | van with/with balloons"},

	{"name", "A tram in Hong Kong", "tram hong kong | tram in/in hong kong"},
	{"name in a picture's title", "Jazz Poster by Wendy Garnett", "poster[jazz] wendy garnett | poster by/by wendy garnett"},
	{"maker of a thing", "A man playing Nintendo Wii", "man wii[nintendo] | man playing/play wii"},
	{"name before a thing", "Hong Kong skyline", "skyline[hong kong]"},

	{"compound, not an owner", "An actor attends the launch of a tv series", "actor launch tv series | actor attends/attend launch, launch of/of tv series"},
	{"compound, not an owned thing", "A croc bag and rain boots on a bench", "croc bag rain boots bench | croc bag on/on bench, rain boots on/on bench"},
	{"compound of a vehicle", "A jet plane above a city", "jet plane city | jet plane above/above city"},
	{"part after its whole", "A squirrel on a tree branch", "squirrel tree branch | squirrel on/on branch, tree has/have branch"},
	{"part before its whole", "A screen tv in a room", "screen tv room | tv has/have screen, tv in/in room"},
	{"two words that one word relates", "A kitchen with retro floor tiles and coffee mugs", "kitchen floor tiles[retro] coffee mugs | kitchen with/with floor tiles, kitchen with/with coffee mugs"},
	{"plural of those who use it", "A player on the pitchers mound", "player pitchers mound | player on/on pitchers mound"},

	{"adjective of a noun that is no object", "a skateboarder does an impressive trick", "skateboarder"},
	{"adjective of a noun before of", "an egret beside a large body of water", "egret water | egret beside/beside water"},
	{"adjective of a noun before of", "A small gathering of people in a park", "people park | people in/in park"},
	{"adjective of a piece", "A man with a large piece of cake", "man cake[large,piece] | man with/with cake"},

	{"heap", "A man near a large stack of luggage", "man luggage×a large stack of | man near/near luggage"},
	{"set", "A set of knives on a counter", "knives×a set of counter | knives on/on counter"},
	{"set of one", "the set of a film", "film"},
	{"quantity of coordinated attributes", "A herd of black and white cows", "cows×a herd of[black,white]"},
	{"quantity before another adjective", "A bunch of different bikes", "bikes×a bunch of"},

	{"colour at the end of a title", "4410 Womens Pleated Skirt purple", "skirt[womens,pleated,;purple]"},
	{"colour at the end of a part of a title", "Leather Case Blue, Canvas Sneakers White", "case[leather,;blue] sneakers[canvas,;white]"},

	{"noun before a preposition", "A surfer doing a sharp turn in the water", "surfer water | surfer in/in water"},
	{"noun before of", "The coach house is a restoration of a farm building", "coach house farm building"},
	{"what somebody takes", "A girl taking a swing at a ball", "girl ball | girl swing at/swing at ball"},

	{"words of tokenised text", "a man with a wide - angle lens", "man lens[wide - angle] | man with/with lens"},
	{"words of tokenised text, one left out", "burnt - out cars near a house", "cars[burnt - out] house | cars near/near house"},
	{"conjunction in tokenised text", "long - and short - term parking", "parking[long,short - term]"},

	{"command", "flaunt those legs in a wrap dress", "legs dress[wrap] | legs in/in dress"},
	{"command with a particle", "bundle up and gaze at the stars", "stars"},
	{"a known name", "a taxi in New York City", "taxi new york city | taxi in/in new york city"},
	{"a known name of a title", "NEW YORK CITY TAXI", "new york city taxi"},
	{"a known name with a preposition", "boats near the Statue of Liberty", "boats statue of liberty | boats near/near statue of liberty"},
	{"a known name before others", "a San Francisco Giants pitcher", "pitcher[san francisco,giants]"},
	{"a known name that the model leaves out", "The raised United States of America flag", "flag[raised,united states of america]"},
	{"a known name in lower case", "alternative hip hop artist attends the los angeles premiere", "artist[alternative,hip hop] premiere[los angeles] | artist attends/attend premiere"},
	{"a known name is written as one", "a little dog near a round table on the west coast", "dog[little] table[round] coast[west] | dog near/near table, table on/on coast"},
	{"a name of a country without its article", "a house in the Netherlands", "house netherlands | house in/in netherlands"},
	{"a quantity before another adjective", "a man with many different tools", "man tools×many | man with/with tools"},
	{"a quantity before other things", "a man with several other hot dogs", "man hot dogs×several | man with/with hot dogs"},
	{"a noun of quantity", "an assortment of pastries on a table", "pastries×an assortment of table | pastries on/on table"},
	{"a noun of quantity with an adjective", "a bowl with a large amount of broccoli", "bowl broccoli×a large amount of | bowl with/with broccoli"},
	{"a couple without of", "a couple people on a bench", "people×a couple bench | people on/on bench"},
	{"a couple with of", "couple of sheep on a hill", "sheep×couple of hill | sheep on/on hill"},
	{"a couple of lovers", "a couple on a bench", "couple bench | couple on/on bench"},
	{"a number of views", "two views of a bag", "bag"},
	{"a number of sorts", "two types of vegetables on a plate", "vegetables plate | vegetables on/on plate"},
	{"a number of the second noun", "two cake plates on a table", "cake plates×two table | cake on/on plates, plates on/on table"},
	{"half", "half a pizza on a plate", "pizza×half a plate | pizza on/on plate"},
	{"half of", "half of a pizza on a plate", "pizza×half of a plate | pizza on/on plate"},
	{"rows", "several rows of donuts on a table", "donuts×several rows of table | donuts on/on table"},
	{"two worn colours", "A baseball player in red and white playing a game", "baseball player[;in red,;white] game | baseball player playing/play game"},
	{"two worn colours after be", "A young man is in blue and white playing tennis.", "man[young,;in blue,;white] tennis | man playing/play tennis"},
	{"what is photographed in black and white", "A group of zebras are photographed in black and white.", "zebras×a group of[;in black,;white]"},
	{"colours of garments that are worn", "A man in red and white striped pants", "man pants[red,white,striped] | man in/in pants"},
	{"colours of jogging pants", "A man in black and white jogging pants", "man jogging pants[black,white] | man in/in jogging pants"},
	{"a worn colour and somebody else", "A woman in white and a dog", "woman[;in white] dog"},
	{"a material of two words", "A kitchen with a stainless steel sink.", "kitchen sink[stainless steel] | kitchen with/with sink"},
	{"a material of which the model has one word", "Three old cast iron bathtubs in a brick room.", "bathtubs×three[old,cast iron] room[brick] | bathtubs in/in room"},
	{"a fixed expression", "A stained glass window", "window[stained glass]"},
	{"a fixed expression", "Two giraffes standing in a wide open area.", "giraffes×two area[wide open] | giraffes standing in/stand in area"},
	{"of a colour", "A white colored dog on a brand new couch", "dog[white colored] couch[brand new] | dog on/on couch"},
	{"materials of one word", "A steel door with a glass window", "door[steel] window[glass] | door with/with window"},
	{"a particle before a colour", "An airplane is letting off white smoke", "airplane smoke[white] | airplane is letting off/let off smoke"},
}

func TestNounPhrases(t *testing.T) { compare(t, nounPhrases) }
