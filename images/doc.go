// Package images finds the encoded images that texts belong to, decodes them and resizes them for a
// model.
//
// A Set reads the encoded images of a corpus from a folder, from tars of img2dataset and
// webdataset, or from Parquet files. A Decoder turns them into pixels as open_clip's preprocessing
// does: CropDraw's random crop for training, the centre for evaluation, both resized as by Pillow.
// Pixels are 8-bit; the device normalises them.
package images
