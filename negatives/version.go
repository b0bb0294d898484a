package negatives

// Version identifies the texts that are made of a graph. It is raised whenever these change, which
// a golden hash in package stages checks. A pass that one version began is not continued by
// another.
const Version = "negatives/22"
