// Package turbojpeg decodes JPEG with libjpeg-turbo, which it opens when it is asked
// for: nothing is linked. It is only in a build with the tag turbojpeg, whose
// program needs the system's dynamic loader; the default build is static.
package turbojpeg
