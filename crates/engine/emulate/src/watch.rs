//! Asks kernels for their sockets, over and over, in a thread beside the one that keeps time.

use crate::sock_diag::{FAMILIES, Socket, request, told};
use std::fs::File;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// From one look to the next: a hundred in a second, as often as Linux's timers of TCP could tick (`HZ`).
const BETWEEN: Duration = Duration::from_millis(10);
/// What a kernel tells at once (`NLMSG_GOODSIZE` and the buffers of dumps are smaller).
const BUFFER: usize = 65_536;
/// Reads of one answer: a kernel that never ends it is left alone for now.
const READS: usize = 1000;

/// What kernels tell of their TCP sockets, until it is dropped.
#[derive(Debug)]
pub struct Watch {
    sockets: Receiver<Socket>,
    tell: Sender<Socket>,
    /// The thread goes on while somebody else has them too.
    kernels: Arc<Mutex<Vec<File>>>,
}

impl Watch {
    /// Watches through netlink sockets (`NETLINK_SOCK_DIAG`), which do not block, each in the network of a host.
    pub fn new(kernels: Vec<File>) -> Self {
        let (tell, sockets) = channel();
        let kernels = Arc::new(Mutex::new(kernels));
        let (watched, told) = (Arc::downgrade(&kernels), tell.clone());
        thread::spawn(move || {
            while let Some(kernels) = watched.upgrade() {
                look(&kernels, &told);
                drop(kernels);
                thread::sleep(BETWEEN);
            }
        });
        Self { sockets, tell, kernels }
    }

    /// Looks once more, now.
    pub(crate) fn look(&self) {
        look(&self.kernels, &self.tell);
    }

    /// The next that was told.
    pub(crate) fn next(&self) -> Option<Socket> {
        self.sockets.try_recv().ok()
    }
}

/// Asks each kernel once.
fn look(kernels: &Mutex<Vec<File>>, tell: &Sender<Socket>) {
    let Ok(mut kernels) = kernels.lock() else { return };
    let mut buffer = vec![0; BUFFER];
    for kernel in kernels.iter_mut() {
        for family in FAMILIES {
            // A host that cannot be asked, as without IPv6, has nothing to tell.
            let _ = ask(kernel, family, &mut buffer, tell);
        }
    }
}

/// Asks one kernel, which also tells of sockets that have been closed since.
fn ask(kernel: &mut File, family: u8, buffer: &mut [u8], tell: &Sender<Socket>) -> std::io::Result<()> {
    kernel.write_all(&request(family))?;
    for _ in 0..READS {
        let length = kernel.read(buffer)?;
        let ends = told(&buffer[..length], |socket| {
            // It is dropped as soon as nobody wants to know.
            let _ = tell.send(socket);
        });
        if ends {
            break;
        }
    }
    Ok(())
}
