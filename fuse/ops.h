// The callbacks of libfuse: each translates one request into calls of a Server.
#ifndef ULHFF_FUSE_OPS_H_
#define ULHFF_FUSE_OPS_H_

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>

namespace ulhff {

// For fuse_session_new, whose user data must be a Server*.
fuse_lowlevel_ops FuseOperations();

}  // namespace ulhff

#endif  // ULHFF_FUSE_OPS_H_
