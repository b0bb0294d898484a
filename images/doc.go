// Package images finds the encoded images that texts are about, decodes them and
// brings them to the size of a model.
//
// A Set says where the images of a corpus lie: in a folder, in the tars of
// img2dataset and webdataset, or in Parquet files. It gives bytes. A Decoder
// turns bytes into pixels as open_clip's preprocessing does: CropDraw's random
// crop to train on, the centre to evaluate on, both resized as Pillow does. Bytes
// of pixels go to the device, which normalises them.
package images
