// SPDX-License-Identifier: MIT
//! What the compiler refuses, by the number of its error; beside it what it takes, so that nothing
//! else in the attempt is wrong. For `cargo test --doc` alone. RUSTC_BOOTSTRAP=1 makes rustdoc compare
//! the numbers.

/// ```
/// fn lock(mutex: &plafond::Mutex<u32>, thread: &plafond::Attached) {
///     let _ = mutex.lock(thread, |_| ());
/// }
/// ```
/// ```compile_fail,E0061
/// fn lock(mutex: &plafond::Mutex<u32>) {
///     let _ = mutex.lock(|_| ());
/// }
/// ```
struct LockWithoutAttaching;

/// ```
/// fn end(thread: plafond::Attached) {
///     let end = move || drop(thread);
///     end();
/// }
/// ```
/// ```compile_fail,E0277
/// fn end(thread: plafond::Attached) {
///     let end = move || drop(thread);
///     std::thread::spawn(end);
/// }
/// ```
struct SendTheToken;

/// ```compile_fail,E0277
/// fn share(thread: &plafond::Attached) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| thread.wake_hook());
///     });
/// }
/// ```
struct ShareTheToken;

/// ```
/// fn lend(mutex: &plafond::Mutex<u32>, thread: &plafond::Attached) {
///     let _ = mutex.lock(thread, |mut guard| {
///         let data: &mut u32 = &mut guard;
///         std::thread::scope(|scope| {
///             scope.spawn(move || *data += 1);
///         });
///     });
/// }
/// ```
/// ```compile_fail,E0277
/// fn lend(mutex: &plafond::Mutex<u32>, thread: &plafond::Attached) {
///     let _ = mutex.lock(thread, |mut guard| {
///         std::thread::scope(|scope| {
///             scope.spawn(move || *guard += 1);
///         });
///     });
/// }
/// ```
struct SendTheGuard;

/// ```
/// fn end(mutex: &plafond::Mutex<u32>, thread: plafond::Attached) {
///     let _ = mutex.lock(&thread, |_| ());
///     drop(thread);
/// }
/// ```
/// ```compile_fail,E0505
/// fn end(mutex: &plafond::Mutex<u32>, thread: plafond::Attached) {
///     let _ = mutex.lock(&thread, |_| drop(thread));
/// }
/// ```
struct DropTheTokenInside;

/// ```
/// fn end(mutex: plafond::Mutex<u32>, thread: &plafond::Attached) {
///     let _ = mutex.lock(thread, |_| ());
///     drop(mutex);
/// }
/// ```
/// ```compile_fail,E0505
/// fn end(mutex: plafond::Mutex<u32>, thread: &plafond::Attached) {
///     let _ = mutex.lock(thread, |_| drop(mutex));
/// }
/// ```
struct MoveTheMutexInside;

/// ```
/// fn result(mutex: &plafond::Mutex<u32>, thread: &plafond::Attached) -> Option<u32> {
///     mutex.lock(thread, |guard| *guard).ok()
/// }
/// ```
/// ```compile_fail,E0515
/// fn result<'a>(mutex: &'a plafond::Mutex<u32>, thread: &'a plafond::Attached) -> Option<&'a u32> {
///     mutex.lock(thread, |guard| &*guard).ok()
/// }
/// ```
struct KeepAReference;

/// ```
/// fn share(mutex: &plafond::Mutex<std::sync::Arc<u32>>, thread: fn() -> plafond::Attached) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| mutex.lock(&thread(), |data| drop(data.clone())).is_ok());
///     });
/// }
/// ```
/// ```compile_fail,E0277
/// fn share(mutex: &plafond::Mutex<std::rc::Rc<u32>>, thread: fn() -> plafond::Attached) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| mutex.lock(&thread(), |data| drop(data.clone())).is_ok());
///     });
/// }
/// ```
struct ShareWhatIsOfOneThread;
