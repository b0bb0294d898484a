package negatives

// part is a part of the body on which something is worn.
type part uint8

// noPart is that of what is worn on no part of the table: who wears it may wear
// anything else too.
const noPart part = 0

// worn are heads of what is worn on each part of the body: who wears something on
// one may wear something on another, said or not, and hardly two on the same.
var worn = []struct {
	words         string
	example, also string
}{
	{" hat cap helmet crown hood headband turban beanie tiara wig visor bonnet beret headscarf sombrero fedora headdress ", "a man wearing a hat", "a man wearing a tie"},
	{" glasses sunglasses goggles spectacles eyeglasses ", "a man wearing glasses", "a man wearing a hat"},
	{" mask beard ", "a man wearing a mask", "a man wearing gloves"},
	{" tie necktie bowtie bow scarf necklace lei lanyard bandana ", "a man wearing a tie", "a man wearing a jacket"},
	{" jacket coat sweater shirt t-shirt tshirt blouse vest hoodie sweatshirt jersey cardigan blazer tuxedo robe ", "a man wearing a jacket", "a man wearing a helmet"},
	{" pants jeans shorts skirt trousers leggings tights ", "a girl wearing a skirt", "a girl wearing a hat"},
	{" dress gown suit uniform wetsuit swimsuit bikini kimono overalls pajamas ", "a girl wearing a dress", "a girl wearing boots"},
	{" boot sandal sneaker slipper heel shoe skate sock flip-flop ", "a girl wearing boots", "a girl wearing gloves"},
	{" glove mitten ", "a girl wearing gloves", "a girl wearing a coat"},
	{" watch bracelet wristband ", "a man wearing a watch", "a man wearing a tie"},
	{" backpack cape pack ", "a man wearing a backpack", "a man wearing a hat"},
	{" earring headphone earphone ", "a man wearing headphones", "a man wearing a tie"},
	{" apron belt ", "a man wearing an apron", "a man wearing a hat"},
}

// wornBeside holds for what is worn on a part of the body on which the other is not.
func (n *noun) wornBeside(other *noun) bool { return n.wornOn != noPart && n.wornOn != other.wornOn }

// wornOn is the part of the body on which a noun is worn.
func wornOn(head string) part {
	for i := range worn {
		if contains(worn[i].words, head) {
			return part(i + 1)
		}
	}
	return noPart
}
