package words

import "capgraph/internal/lexicon/wordclass"

var (
	collective = wordclass.Of("collective")
	countables = wordclass.Of("countables")
	definites  = wordclass.Of("definites")
	Fixed      = wordclass.Of("fixed")
	inTraffic  = wordclass.Of("inTraffic")
	masses     = wordclass.Of("masses")
	meals      = wordclass.Of("meals")
	ofSeveral  = wordclass.Of("ofSeveral")
	open       = wordclass.Of("open")
	Pictures   = wordclass.Of("pictures")
	tableware  = wordclass.Of("tableware")
	touched    = wordclass.Of("touched")
	Vague      = wordclass.Of("vague")
)
