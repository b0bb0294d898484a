#include "fibre.h"

#ifdef __x86_64__

// The registers that a function has to keep, and the stack.
extern "C" void fibre_switch(void **from, void *to);
asm(R"(
.text
.type fibre_switch, @function
fibre_switch:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
.size fibre_switch, .-fibre_switch
)");

void fibre_ready(fibre *f, void (*run)(void)) {
    void **top = (void **)(f->stack + STACK);
    *--top = 0; // so that the stack is aligned as it is where a function begins
    *--top = (void *)run;
    for (int i = 0; i < 6; i++) *--top = 0;
    f->at = top;
}

void fibre_enter(fibre *f) { fibre_switch(&f->back, f->at); }
void fibre_leave(fibre *f) { fibre_switch(&f->at, f->back); }

#else

void fibre_ready(fibre *f, void (*run)(void)) {
    getcontext(&f->at);
    f->at.uc_stack.ss_sp = f->stack;
    f->at.uc_stack.ss_size = STACK;
    f->at.uc_link = 0;
    makecontext(&f->at, run, 0);
}

void fibre_enter(fibre *f) { swapcontext(&f->back, &f->at); }
void fibre_leave(fibre *f) { swapcontext(&f->at, &f->back); }

#endif
