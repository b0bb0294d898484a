package ruleparse

import "slices"

// animate reports whether a participle says what only somebody alive does, as far as
// captions go. These are verbs of which WordNet's first sense has a person for its
// subject, or of which captions have one, but those that vehicles, shops and signs do too.
func animate(participle string) bool {
	switch participle {
	case "aiming", "applauding", "attacking", "attempting", "attending", "barking", "bathing", "batting", "begging", "biking", "biting", "bowing",
		"bowling", "browsing", "brushing", "buying", "camping", "carrying", "carving", "catching", "celebrating", "chasing", "chatting", "checking", "cheering",
		"chewing", "clapping", "cleaning", "climbing", "coaching", "competing", "cooking", "crouching", "cuddling", "cutting", "cycling", "dancing",
		"digging", "dining", "disembarking", "doing", "drinking", "driving", "eating", "enjoying", "entwining", "examining", "exercising", "feeding",
		"fetching", "fighting", "filming", "fishing", "fixing", "frolicking", "frying", "galloping", "gazing", "gesturing", "giving", "grabbing",
		"grazing", "greeting", "grinning", "gripping", "grooming", "guiding", "helping", "herding", "hiking", "hitting", "holding", "hopping", "hugging",
		"hunting", "inspecting", "interacting", "interviewing", "jogging", "juggling", "jumping", "kayaking", "kicking", "kissing", "knitting", "laughing",
		"leaping", "licking", "listening", "looking", "lounging", "making", "marching", "meditating", "motioning", "munching", "napping", "nibbling",
		"nuzzling", "observing", "operating", "paddling", "peeing", "peering", "performing", "petting", "photographing", "pitching", "playing", "poking",
		"posing", "practicing", "practising", "praying", "preparing", "pulling", "pushing", "putting", "reading", "relaxing", "resting", "riding", "rowing",
		"rubbing", "running", "saluting", "scratching", "selecting", "selling", "serving", "sewing", "shaking", "sharing", "shaving", "singing", "sipping",
		"skateboarding", "skating", "skiing", "sledding", "sleeping", "smelling", "smiling", "smoking", "snacking", "sniffing", "snorkeling", "snowboarding",
		"speaking", "squatting", "staring", "steering", "stepping", "strolling", "surfing", "sweeping", "swimming", "swinging", "tackling", "taking", "talking",
		"teaching", "tending", "texting", "throwing", "tossing", "trotting", "typing", "using", "visiting", "wading", "walking", "wandering", "washing",
		"watching", "wearing", "whispering", "whistling", "windsurfing", "wiping", "working", "wrestling", "yawning":
		return true
	}
	return false
}

// agents are things that do what is else said of somebody alive: vehicles, shops, and
// what stands for a person.
const agents = " aircraft airplane airplanes boat boats bulldozer bus buses cab cabs car cars cart carts character characters crane doll dolls engine figure figures figurine figurines helicopter helicopters jet jets machine machines mannequin mannequins market motorcycle motorcycles plane planes puppet puppets robot robots scarecrow sculpture sculptures ship ships shop shops snowman stall stalls stand stands statue statues store stores taxi taxis toy toys tractor tractors train trains tram trams trolley truck trucks van vans vehicle vehicles wagon yacht yachts "

// aboard are words of a predicate by which somebody is in or on such a thing, or a part
// of it.
const aboard = " aboard driving in inside of on onto riding "

// boards reports whether a candidate says that somebody is in or on something.
func (c *candidate) boards(ts []span) bool {
	return slices.ContainsFunc(c.words[:c.n], func(i int32) bool { return oneOf(aboard, ts[i].low) })
}

// somebody is the person or the animal at or with which object a is, or a: "a pitcher at a
// game who throws".
func (x *analysis) somebody(a int32) int32 {
	b := a
	for range maxPhrase {
		if x.nodes[b].alive {
			return b
		}
		k := x.into(b)
		if k < 0 {
			break
		}
		b = x.edges[k].a
	}
	return a
}
