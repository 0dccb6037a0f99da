//! The calls of Windows that no crate in use offers as safe functions.
#![allow(unsafe_code, reason = "raw system calls, each with its own reason")]

use std::io;
use std::mem::{size_of, zeroed};
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use windows_sys::Win32::Foundation::{FILETIME, HANDLE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0};
use windows_sys::Win32::Media::timeBeginPeriod;
use windows_sys::Win32::Storage::FileSystem::GetDiskFreeSpaceExW;
use windows_sys::Win32::System::Console::{GetConsoleOutputCP, SetConsoleOutputCP};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
    TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, GetQueuedCompletionStatus};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_AFFINITY, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PRIORITY_CLASS, JOBOBJECT_ASSOCIATE_COMPLETION_PORT,
    JOBOBJECT_BASIC_PROCESS_ID_LIST, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectAssociateCompletionPortInformation, JobObjectBasicProcessIdList,
    JobObjectExtendedLimitInformation, QueryInformationJobObject, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};
use windows_sys::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::SystemInformation::{
    GetTickCount64, GlobalMemoryStatusEx, MEMORYSTATUSEX,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes, INFINITE, OpenProcess,
    OpenThread, PROCESS_QUERY_LIMITED_INFORMATION, ResumeThread, SetThreadPriority,
    THREAD_PRIORITY_BELOW_NORMAL, THREAD_PRIORITY_LOWEST, THREAD_QUERY_LIMITED_INFORMATION,
    THREAD_SUSPEND_RESUME, WaitForSingleObject,
};
use windows_sys::Win32::System::WindowsProgramming::QueryUnbiasedInterruptTime;

fn done(answer: i32) -> io::Result<()> {
    match answer {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Takes over a handle that was made for us, and that nothing else closes.
fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call that returned the handle has just made it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// The report of a job that one of its processes wanted more memory than the job may have
/// (`JOB_OBJECT_MSG_JOB_MEMORY_LIMIT`).
const REFUSED_MEMORY: u32 = 10;

pub(super) fn new_job() -> io::Result<OwnedHandle> {
    // SAFETY: null pointers ask for no name and the usual rights.
    owned(unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) })
}

/// Sets that all processes of the job end with its last handle, and that a crash shows no window.
pub(super) fn limit_job(
    job: &OwnedHandle,
    affinity: Option<usize>,
    priority: Option<u32>,
    processes: Option<u32>,
    memory: Option<u64>,
) -> io::Result<()> {
    // SAFETY: the structure consists of numbers, lives through the call, and its size is passed.
    unsafe {
        let mut limits = zeroed::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>();
        let basic = &mut limits.BasicLimitInformation;
        basic.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        if let Some(mask) = affinity {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_AFFINITY;
            basic.Affinity = mask;
        }
        if let Some(class) = priority {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_PRIORITY_CLASS;
            basic.PriorityClass = class;
        }
        if let Some(most) = processes {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
            basic.ActiveProcessLimit = most;
        }
        if let Some(bytes) = memory {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            limits.JobMemoryLimit = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        done(SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size(&limits),
        ))
    }
}

/// Where a job reports what its processes do, from now on.
pub(super) fn reports_of(job: &OwnedHandle) -> io::Result<OwnedHandle> {
    let nothing = std::ptr::null_mut();
    // SAFETY: no file and no other port are named; both handles are open, and the structure lives through the call.
    unsafe {
        let reports = owned(CreateIoCompletionPort(INVALID_HANDLE_VALUE, nothing, 0, 1))?;
        let place = JOBOBJECT_ASSOCIATE_COMPLETION_PORT {
            CompletionKey: nothing,
            CompletionPort: reports.as_raw_handle(),
        };
        done(SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectAssociateCompletionPortInformation,
            (&raw const place).cast(),
            size(&place),
        ))?;
        Ok(reports)
    }
}

/// Whether a refusal of memory is among the reports that were not read yet; reads them up to it.
pub(super) fn was_refused_memory(reports: &OwnedHandle) -> bool {
    let next = || {
        let (mut kind, mut key, mut process) = (0, 0, std::ptr::null_mut());
        // SAFETY: the handle is open, and what is written lives through the call. The last is a number of a process,
        // and nobody follows it.
        let told = unsafe {
            let port = reports.as_raw_handle();
            GetQueuedCompletionStatus(port, &raw mut kind, &raw mut key, &raw mut process, 0)
        };
        (told != 0).then_some(kind)
    };
    let mut kinds = std::iter::from_fn(next);
    kinds.any(|kind| kind == REFUSED_MEMORY)
}

fn size<T>(_of: &T) -> u32 {
    u32::try_from(size_of::<T>()).unwrap_or(u32::MAX)
}

pub(super) fn assign(job: &OwnedHandle, process: RawHandle) -> io::Result<()> {
    // SAFETY: both handles are open.
    done(unsafe { AssignProcessToJobObject(job.as_raw_handle(), process) })
}

/// The process that calls; the handle needs no closing.
pub(super) fn this_process() -> RawHandle {
    // SAFETY: the call always succeeds.
    unsafe { GetCurrentProcess() }
}

pub(super) fn end_job(job: &OwnedHandle) {
    // SAFETY: the handle is open. It may have ended by itself.
    let _ended = unsafe { TerminateJobObject(job.as_raw_handle(), 1) };
}

/// Maximum number of processes of a job that are listed.
const MAX_LISTED_PROCESSES: usize = 256;

pub(super) fn processes_of(job: &OwnedHandle) -> Vec<u32> {
    #[repr(C)]
    struct Room {
        list: JOBOBJECT_BASIC_PROCESS_ID_LIST,
        more: [usize; MAX_LISTED_PROCESSES],
    }
    // SAFETY: the structure consists of numbers, lives through the call, and its size is passed; the system writes the
    // list past its end into the space reserved there.
    unsafe {
        let mut room = zeroed::<Room>();
        QueryInformationJobObject(
            job.as_raw_handle(),
            JobObjectBasicProcessIdList,
            (&raw mut room).cast(),
            size(&room),
            std::ptr::null_mut(),
        );
        let count = room.list.NumberOfProcessIdsInList as usize;
        let first = (&raw const room.list.ProcessIdList).cast::<usize>();
        let numbers = (0..count.min(MAX_LISTED_PROCESSES)).map(|place| first.add(place).read());
        numbers
            .filter_map(|number| u32::try_from(number).ok())
            .collect()
    }
}

/// Lets a process run that was started suspended, and so has one thread.
pub(super) fn resume(process: u32) -> io::Result<()> {
    let threads = threads_of(&[process])?;
    for thread in threads {
        // SAFETY: the number is the number of a thread; the handle is closed when it is dropped.
        let thread = owned(unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, thread) })?;
        // SAFETY: the handle is open.
        if unsafe { ResumeThread(thread.as_raw_handle()) } != u32::MAX {
            return Ok(());
        }
    }
    Err(io::Error::other("the process has no thread"))
}

/// The threads of these processes.
pub(super) fn threads_of(processes: &[u32]) -> io::Result<Vec<u32>> {
    // SAFETY: the structure consists of numbers, lives through the calls, and its size is passed; the handle is closed
    // when it is dropped.
    unsafe {
        let all = owned(CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0))?;
        let mut entry = zeroed::<THREADENTRY32>();
        entry.dwSize = size(&entry);
        let mut found = Vec::new();
        let mut more = Thread32First(all.as_raw_handle(), &raw mut entry);
        while more != 0 {
            if processes.contains(&entry.th32OwnerProcessID) {
                found.push(entry.th32ThreadID);
            }
            more = Thread32Next(all.as_raw_handle(), &raw mut entry);
        }
        Ok(found)
    }
}

/// The processes whose parent has this number, or had it.
pub(super) fn children_of(parent: u32) -> io::Result<Vec<u32>> {
    // SAFETY: the structure consists of numbers, lives through the calls, and its size is passed; the handle is closed
    // when it is dropped.
    unsafe {
        let all = owned(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0))?;
        let mut entry = zeroed::<PROCESSENTRY32W>();
        entry.dwSize = size(&entry);
        let mut found = Vec::new();
        let mut more = Process32FirstW(all.as_raw_handle(), &raw mut entry);
        while more != 0 {
            if entry.th32ParentProcessID == parent {
                found.push(entry.th32ProcessID);
            }
            more = Process32NextW(all.as_raw_handle(), &raw mut entry);
        }
        Ok(found)
    }
}

/// When a process began, in a count of the system's own, and the processor time that it has used since.
///
/// Wine has only the first; its second is the caller's.
pub(super) fn process_times(process: u32) -> Option<(u64, Duration)> {
    // SAFETY: the number may be any; the handle is closed when it is dropped.
    let process =
        owned(unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process) }).ok()?;
    times(GetProcessTimes, &process)
}

/// Processor time of a thread.
pub(super) fn thread_time(thread: u32) -> Option<Duration> {
    // SAFETY: as above.
    let thread = owned(unsafe { OpenThread(THREAD_QUERY_LIMITED_INFORMATION, 0, thread) }).ok()?;
    times(GetThreadTimes, &thread).map(|(_, used)| used)
}

type AskForTimes = unsafe extern "system" fn(
    HANDLE,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
) -> i32;

/// When something began, and what it has used.
fn times(ask: AskForTimes, of: &OwnedHandle) -> Option<(u64, Duration)> {
    // SAFETY: the structures consist of numbers and live through the call; the handle is open.
    let ([born, _, kernel, user], told) = unsafe {
        let [mut born, mut ended, mut kernel, mut user] = zeroed::<[FILETIME; 4]>();
        let told = ask(
            of.as_raw_handle(),
            &raw mut born,
            &raw mut ended,
            &raw mut kernel,
            &raw mut user,
        );
        ([born, ended, kernel, user], told)
    };
    // Counts of 100 ns.
    let used = Duration::from_nanos((count(&kernel) + count(&user)) * 100);
    (told != 0).then_some((count(&born), used))
}

/// Whether this is Wine, which tells programs so.
pub(super) fn is_wine() -> bool {
    static IT_IS: LazyLock<bool> = LazyLock::new(|| {
        // SAFETY: both names end with a zero, and every program has this library loaded.
        unsafe {
            let library = GetModuleHandleA(c"ntdll.dll".as_ptr().cast());
            GetProcAddress(library, c"wine_get_version".as_ptr().cast()).is_some()
        }
    });
    *IT_IS
}

fn count(time: &FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}

/// The memory of a process that is in use now, bytes.
pub(super) fn resident(process: u32) -> Option<u64> {
    // SAFETY: the structure consists of numbers, lives through the call, and its size is passed; the handle is closed
    // when it is dropped.
    unsafe {
        let process = owned(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process)).ok()?;
        let mut counters = zeroed::<PROCESS_MEMORY_COUNTERS>();
        let size = size(&counters);
        let told = GetProcessMemoryInfo(process.as_raw_handle(), &raw mut counters, size);
        (told != 0).then_some(counters.WorkingSetSize as u64)
    }
}

/// Whether the process has ended; waits for it if asked to.
pub(super) fn has_ended(process: &OwnedHandle, wait: bool) -> bool {
    let milliseconds = if wait { INFINITE } else { 0 };
    // SAFETY: the handle is open.
    unsafe { WaitForSingleObject(process.as_raw_handle(), milliseconds) == WAIT_OBJECT_0 }
}

/// Bytes that this user may still write in a folder.
pub(super) fn free_disk(folder: &Path) -> io::Result<u64> {
    let name: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
    let mut free = 0;
    // SAFETY: the name ends with a zero, and both live through the call; null pointers mean that nothing more is
    // returned.
    let answer = unsafe {
        let nothing = std::ptr::null_mut();
        GetDiskFreeSpaceExW(name.as_ptr(), &raw mut free, nothing, nothing)
    };
    done(answer).map(|()| free)
}

/// Total memory, free memory, and space to which memory can be moved, in bytes.
pub(super) fn memory() -> Option<[u64; 3]> {
    // SAFETY: the structure consists of numbers, lives through the call, and contains its size.
    unsafe {
        let mut status = zeroed::<MEMORYSTATUSEX>();
        status.dwLength = size(&status);
        let told = GlobalMemoryStatusEx(&raw mut status) != 0;
        let swap = status.ullTotalPageFile.saturating_sub(status.ullTotalPhys);
        told.then_some([status.ullTotalPhys, status.ullAvailPhys, swap])
    }
}

/// Lets other threads go before this one.
pub(super) fn give_way(lowest: bool) {
    let priority = if lowest {
        THREAD_PRIORITY_LOWEST
    } else {
        THREAD_PRIORITY_BELOW_NORMAL
    };
    // SAFETY: the handle of the calling thread is always valid.
    let _refused = unsafe { SetThreadPriority(GetCurrentThread(), priority) };
}

/// How long the machine runs, without and with the time for which it was suspended. Both count the ticks of the system.
pub(super) fn running_time() -> [Duration; 2] {
    let mut hundreds_of_nanoseconds = 0;
    // SAFETY: the number lives through the call.
    let told = unsafe { QueryUnbiasedInterruptTime(&raw mut hundreds_of_nanoseconds) };
    // SAFETY: the call always succeeds.
    let milliseconds = unsafe { GetTickCount64() };
    match told {
        // Unknown: no suspension is seen.
        0 => [Duration::ZERO; 2],
        _ => [
            Duration::from_nanos(hundreds_of_nanoseconds.saturating_mul(100)),
            Duration::from_millis(milliseconds),
        ],
    }
}

/// Lets timers of this process end within milliseconds; otherwise Windows looks at them 64 times in a second.
pub(super) fn wake_by_milliseconds() {
    // SAFETY: a number. A system that refuses it leaves the timers as they were.
    let _refused = unsafe { timeBeginPeriod(1) };
}

/// The code page of the console's output; 0 without a console.
pub(super) fn code_page() -> u32 {
    // SAFETY: the call takes nothing.
    unsafe { GetConsoleOutputCP() }
}

/// Sets the code page of the console's output, if there is a console.
pub(super) fn set_code_page(page: u32) -> bool {
    // SAFETY: a number; without a console it is an error without effect.
    unsafe { SetConsoleOutputCP(page) != 0 }
}
