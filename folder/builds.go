package folder

import "capgraph/internal/build"

// BuildsDir returns the name of the folder that records which builds of capgraph worked on a pass.
func BuildsDir(pass Pass) string { return passFile(buildsDir, pass, "") }

// RecordBuild records that this build works on a pass. It is called before the pass writes
// anything, so that the build that wrote a file is always recorded.
func (f Folder) RecordBuild(pass Pass) error {
	return build.This().Record(f.storeWithin(), f.Path(BuildsDir(pass)))
}

// ReadBuilds returns the builds that worked on a pass since it was last made again.
func (f Folder) ReadBuilds(pass Pass) ([]build.Build, error) {
	return build.Read(f.Store, f.Path(BuildsDir(pass)))
}
