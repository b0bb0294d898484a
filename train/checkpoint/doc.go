// Package checkpoint keeps a model's parameters, and a training's state, in
// files: safetensors under the names of open_clip, which open_clip, Hugging
// Face's libraries and this package read.
//
// # Forms
//
// A file is read whoever wrote it: open_clip, with or without its custom text
// tower, or Hugging Face's CLIPModel (Load). Position embeddings are resized
// where the model is of another image size or context length. Export writes a
// folder that open_clip.create_model("local-dir:…") takes as it is.
//
// # Training
//
// The state of a training is one file: the weights under their names, so that it
// can be used as it is, and beside them, under names that begin with StatePrefix,
// all that is needed to go on (SaveState, Latest, Resume). It is published whole
// or not at all.
package checkpoint
