package clean

// Version names what a caption becomes. It rises with every change of that, which a golden hash in
// stages holds it to: a pass that one version began another does not finish.
const Version = "clean/1"
