package words

import "capgraph/internal/lexicon/wordclass"

var (
	collective   = wordclass.Words("collective")
	countables   = wordclass.Words("countables")
	definites    = wordclass.Words("definites")
	Fixed        = wordclass.Words("fixed")
	inTraffic    = wordclass.Words("inTraffic")
	masses       = wordclass.Words("masses")
	meals        = wordclass.Words("meals")
	ofSeveral    = wordclass.Words("ofSeveral")
	open         = wordclass.Words("open")
	Pictures     = wordclass.Words("pictures")
	tableware    = wordclass.Words("tableware")
	touched      = wordclass.Words("touched")
	Vague        = wordclass.Words("vague")
	placeholders = wordclass.Words("placeholders")
)
