package clean

// step is one transformation of a text, with an example: the text before and after.
type step struct {
	name, before, after string
	apply               func(string, Options, *findings) string
}

// steps are the steps of one pass, in their order.
var steps = []step{
	{"marks", "<image> a dog on a beach<|endoftext|>", "a dog on a beach", stripMarks},
	{"tags", "1girl solo long_hair blue_eyes", "1girl, solo, long hair, blue eyes", respellTags},
	{"markdown", "## Description\n- **Setting:** a **sandy** beach\n- a dog", "\na sandy beach.\na dog.", stripMarkdown},
	{"person", "<PERSON> <PERSON> rides a bike", "person rides a bike", replacePerson},
	{"markup", "a <b>red</b> car<br>by Smith &amp; Sons", "a red car by Smith & Sons", stripMarkup},
	{"encoding", "donâ€™t feed the ｃａｔ", "don’t feed the cat", mendEncoding},
	{"characters", "the\u00a0dog’s “new” ball ☺", `the dog's "new" ball`, plainCharacters},
	{"links", "sunset in #Rome https://example.org/a.jpg", "sunset in Rome", stripLinks},
	{"tokens", "a man , who does n't ride ( left ) .", "a man, who doesn't ride (left).", joinTokens},
	{"quotes", `"a ""good"" dog on a beach"`, `a "good" dog on a beach`, stripQuotes},
	{"punctuation", "what a view!!! wow....", "what a view! wow...", tidyPunctuation},
	{"talk", "Here is a detailed description of the image: A dog runs. I hope this helps!", "A dog runs.", stripTalk},
	{"repeats", "A dog runs. It is brown. It is brown. It is brown.", "A dog runs. It is brown.", dropRepeats},
	{"cut off", "A dog runs on a beach. It is next to the", "A dog runs on a beach.", dropCutOff},
	{"edges", "- a dog on a beach |", "a dog on a beach", trimEdges},
}
