package folder

// Reject is a row that a pass left out. Reason is a fixed word, Detail what
// was seen there.
type Reject struct {
	Source    string `json:"source"`
	SourceRow int64  `json:"source_row"`
	Key       string `json:"key"`
	ImageKey  string `json:"image_key"`
	Caption   string `json:"caption"`
	Stage     string `json:"stage"`
	Reason    string `json:"reason"`
	Detail    string `json:"detail"`
}
