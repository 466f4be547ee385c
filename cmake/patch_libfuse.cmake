# Mends libfuse 3.18.3, in its source tree, for replies to io_uring requests from other threads than the queue's own:
# the queue's thread submits without its lock, and so races with their submissions (seen as a queue that stops for
# good); and a full ring leaves the lock held. Fails where the text is not as expected.
file(READ lib/fuse_uring.c code)

function(replace_once old new)
  string(REPLACE "${old}" "${new}" changed "${code}")
  if(changed STREQUAL code)
    message(FATAL_ERROR "libfuse is not as expected: no '${old}'")
  endif()
  set(code "${changed}" PARENT_SCOPE)
endfunction()

# Under the lock, and then a wait that leaves the submission queue alone.
replace_once("\t\tio_uring_submit_and_wait(&queue->ring, 1);
" "\t\tstruct io_uring_cqe *first;

\t\tpthread_mutex_lock(&queue->ring_lock);
\t\tio_uring_submit(&queue->ring);
\t\tpthread_mutex_unlock(&queue->ring_lock);
\t\tio_uring_wait_cqe(&queue->ring, &first);
")
replace_once("\t\treturn -EIO;
\t}

\tring_ent->last_cmd = FUSE_IO_URING_CMD_COMMIT_AND_FETCH;
" "\t\tif (locked)
\t\t\tpthread_mutex_unlock(&queue->ring_lock);
\t\treturn -EIO;
\t}

\tring_ent->last_cmd = FUSE_IO_URING_CMD_COMMIT_AND_FETCH;
")
file(WRITE lib/fuse_uring.c "${code}")
