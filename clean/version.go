package clean

// Version is the version of clean texts. It rises whenever a caption becomes another text; a golden
// hash in stages checks that. A pass that one version began cannot be finished by another.
const Version = "clean/1"
