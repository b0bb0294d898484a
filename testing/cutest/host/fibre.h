// A fibre is a stack and where it was left.
#pragma once

#include <stddef.h>

// Stacks lie at no power of two from each other: else all would be in the same few
// lines of the cache.
enum { STACK = (16 << 10) + 5 * 64 };

struct fibre;

// fibre_ready makes a fibre that begins with run, which never returns.
void fibre_ready(fibre *f, void (*run)(void));

// fibre_enter runs a fibre until it calls fibre_leave.
void fibre_enter(fibre *f);
void fibre_leave(fibre *f);

#ifdef __x86_64__

struct fibre {
    void *at, *back;
    alignas(16) char stack[STACK];
};

#else

#include <ucontext.h>

struct fibre {
    ucontext_t at, back;
    alignas(16) char stack[STACK];
};

#endif
