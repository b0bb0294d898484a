package words

import "capgraph/internal/lexicon/wordclass"

var (
	cloudless    = wordclass.Words("cloudless")
	collective   = wordclass.Words("collective")
	countables   = wordclass.Words("countables")
	definites    = wordclass.Words("definites")
	facing       = wordclass.Words("facing")
	Fixed        = wordclass.Words("fixed")
	inTraffic    = wordclass.Words("inTraffic")
	leafless     = wordclass.Words("leafless")
	masses       = wordclass.Words("masses")
	meals        = wordclass.Words("meals")
	ofSeveral    = wordclass.Words("ofSeveral")
	onlyBefore   = wordclass.Words("onlyBefore")
	open         = wordclass.Words("open")
	paleColours  = wordclass.Words("paleColours")
	Pictures     = wordclass.Words("pictures")
	tableware    = wordclass.Words("tableware")
	touched      = wordclass.Words("touched")
	Vague        = wordclass.Words("vague")
	placeholders = wordclass.Words("placeholders")
	vividColours = wordclass.Words("vividColours")
)
