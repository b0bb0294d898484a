// Package checkpoint stores a model's parameters, and a training's state, in safetensors files.
// They use the names of open_clip, so that open_clip, Hugging Face's libraries and this package
// read them.
//
// # Forms
//
// [Load] reads files of open_clip, with or without its custom text tower, and of Hugging Face's
// CLIPModel. Position embeddings are resized if the model has another image size or context length.
// [Export] writes a folder that open_clip.create_model("local-dir:…") reads.
//
// # Training
//
// The state of a training is one file: the weights under their names, so that it can be used as a
// model, and beside them, under names that begin with [StatePrefix], all that is needed to
// continue. [SaveState] publishes it whole or not at all; [Steps] and [LoadState] find and read it.
package checkpoint
