package negatives

// unsaid are heads of what most scenes have and few captions say, of what goes with
// any, and of pictures, which any thing may be: putting one in the place of a word makes
// nothing false.
const unsaid = ` wall floor ceiling mirror counter grass ground shirt pants shoes shoe clothes clothing
sunlight daylight sunset rain weather environment winter summer spring fall season topping outfit gear spot appliance equipment
decoration container utensil device condiment habitat countryside space ingredient supply attire accessory fixture decor landscape
location product facility costume shade shadow country nation world region state province zone scenery
pattern silhouette sketch icon graphic artwork illustration cartoon portrait doodle vector design print collage `

// surroundings are heads of places that hold together, and of what may be said of
// one animal or dish, with an example of what is also true.
var surroundings = []struct {
	heads         string
	example, also string
}{
	{" dirt ground soil field street road ", "a dog in dirt", "a dog in a field"},
	{" beach sand shore coast ocean sea water ", "a man on a beach", "a man on sand"},
	{" street sidewalk road intersection pavement footpath walkway pathway path curb crosswalk corner city town ", "a man on a street", "a man on a road"},
	{" field grass pasture meadow park lawn yard hillside slope hill ", "a cow in a field", "a cow in a pasture"},
	{" hill mountain slope hillside snow mountainside ", "a man on a slope", "a man on a mountain"},
	{" court stadium game match field ", "a man on a court", "a man in a stadium"},
	{" cat kitten ", "a bed with a cat", "a bed with a kitten"},
	{" dog puppy pup ", "a bed with a dog", "a bed with a puppy"},
	{" cow calf bull cattle ", "a field with a cow", "a field with a calf"},
	{" horse foal pony colt ", "a field with a horse", "a field with a pony"},
	{" sheep lamb ram ", "a field with a sheep", "a field with a lamb"},
	{" tree bush shrub hedge greenery foliage ", "a bench by a tree", "a bench by a bush"},
	{" trail slope hill ramp incline ", "a man on a ramp", "a man on a slope"},
	{" monitor screen display ", "a desk with a monitor", "a desk with a screen"},
	{" frisbee disc disk ", "a dog with a frisbee", "a dog with a disc"},
	{" cake dessert ", "a table with cake", "a table with dessert"},
	{" hat cap ", "a man in a hat", "a man in a cap"},
	{" jacket coat blazer ", "a man in a jacket", "a man in a coat"},
	{" dress gown ", "a girl in a dress", "a girl in a gown"},
	{" glasses sunglasses eyeglasses spectacles ", "a man with glasses", "a man with sunglasses"},
	{" tie necktie bowtie ", "a man in a tie", "a man in a bowtie"},
	{" scarf bandana bandanna kerchief ", "a man in a scarf", "a man in a bandana"},
	{" plate dish tray platter bowl ", "a cake on a plate", "a cake on a dish"},
	{" hill slope incline street road sidewalk path driveway ", "a man on a street", "a man on a hill"},
	{" field pasture yard enclosure pen zoo exhibit habitat corral cage farm ranch ", "a cow in a field", "a cow in a pen"},
	{" snow field yard park forest ", "a man in a field", "a man in snow"},
	{" snow street road sidewalk city ", "a man on a street", "a man in snow"},
	{" water ocean sea wave surf ", "a boat on water", "a boat on a wave"},
	{" lake river pond wave ", "a boat on a lake", "a boat on a river"},
	{" room den ", "a couch in a room", "a couch in a den"},
	{" pole post ", "a sign on a pole", "a sign on a post"},
	{" branch limb ", "a bird on a branch", "a bird on a limb"},
	{" ball baseball pitch ", "a man hitting a ball", "a man hitting a pitch"},
	{" racket racquet ", "a man with a racket", "a man with a racquet"},
	{" remote controller ", "a man with a remote", "a man with a controller"},
	{" runway tarmac airstrip ", "a jet on a runway", "a jet on a tarmac"},
	{" pizza pie ", "a table with a pizza", "a table with a pie"},
	{" donut doughnut pastry ", "a box with a donut", "a box with a pastry"},
	{" carriage cart wagon buggy ", "a horse with a carriage", "a horse with a cart"},
	{" flower rose tulip daisy lily ", "a vase with a flower", "a vase with a rose"},
	{" city town park plaza square station ", "a man in a park", "a man in a city"},
	{" restaurant kitchen cafe diner bar ", "a man in a kitchen", "a man in a restaurant"},
	{" event concert show festival performance gig tour ", "a singer at a festival", "a singer at a concert"},
	{" event show ceremony gala premiere party celebration reception festival opening ", "a woman at a premiere", "a woman at a party"},
	{" event match game tournament championship competition contest final semifinal round season league ", "a player at a match", "a player at a tournament"},
}

// equipped are heads of places with heads of what they have, with an example of what is
// also true.
type equipped struct {
	heads, parts  string
	example, also string
}

// rowsOf are the rows of a table that have a head as a place, and as a part: bit i is
// row i.
func rowsOf(table []equipped, head string) (place, part uint16) {
	for i := range table {
		if contains(table[i].heads, head) {
			place |= 1 << i
		}
		if contains(table[i].parts, head) {
			part |= 1 << i
		}
	}
	return place, part
}

// rooms are rooms and other places with what they have, said or not: it is there in all
// that is said of the scene.
var rooms = []equipped{
	{" room kitchen ", " sink counter countertop cabinet cupboard stove oven refrigerator fridge drawer window windowsill food ", "a cat in a kitchen", "a cat by a counter"},
	{" room bathroom restroom ", " sink counter cabinet toilet tub bathtub shower tile window windowsill ", "a cat in a bathroom", "a cat in a sink"},
	{" room bedroom ", " bed pillow blanket window windowsill ", "a dog in a bedroom", "a dog on a bed"},
	{" building house store church hotel shop restaurant ", " window door doorway roof porch balcony ", "a bike by a house", "a bike by a door"},
	{" room office ", " table desk chair couch sofa bed lamp rug tv television computer ", "items in a room", "items on a table"},
	{" desk ", " mug cup pen paper keyboard mouse monitor ", "a cat by a desk", "a cat by a keyboard"},
	{" market ", " fruit vegetable ", "a man at a market", "a man by a vegetable"},
	{" house home apartment hotel residence building ", " room bathroom restroom bedroom kitchen ", "a man in a house", "a man in a bathroom"},
	{" bathroom restroom ", " stall seat lid door towel tile curtain pipe faucet countertop shelf light fixture appliance ", "a man in a bathroom", "a man by a door"},
	{" kitchen ", " tile door table chair microwave light shelf dish appliance faucet pot pan ", "a man in a kitchen", "a man by a table"},
	{" train bus car truck van plane airplane jet boat motorcycle bike bicycle ", " seat window wheel door engine tire light headlight mirror roof windshield bumper wing ", "a man in a car", "a man by a wheel"},
	{" table ", " plate dish tray platter ", "a cake on a table", "a cake on a plate"},
	{" pool lake river pond stream creek canal harbor bay lagoon waterfall fountain ", " water ", "a boy in a pool", "a boy in water"},
	{" station ", " platform ", "a man at a station", "a man on a platform"},
	{" hotel resort ", " bar restaurant cafe lounge lobby pool spa ", "a girl at a resort", "a girl at a bar"},
	{" table plate tray counter restaurant ", tableware, "a cake on a table", "a cake by a fork"},
}

// setting says what a noun says of the place of a scene, in rows of the tables:
// bit i is row i.
type setting struct {
	around       uint64 // rows of surroundings that have it
	room, inRoom uint16 // rows of rooms that have it as a room, and as a part
}

func settingOf(head string) (s setting) {
	for i := range surroundings {
		if contains(surroundings[i].heads, head) {
			s.around |= 1 << i
		}
	}
	s.room, s.inRoom = rowsOf(rooms, head)
	return s
}

func (s *setting) add(t setting) {
	s.around, s.room, s.inRoom = s.around|t.around, s.room|t.room, s.inRoom|t.inRoom
}

// mayHave holds where what is at t may be at s.
func (s setting) mayHave(t setting) bool { return s.around&t.around != 0 || s.room&t.inRoom != 0 }
