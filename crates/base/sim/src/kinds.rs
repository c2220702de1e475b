//! Kinds by name: an enum and the word for each of its kinds, which files use for it.

/// Declares an enum and the word for each of its kinds, in one list. It can be compared, copied and hashed, and `index()`
/// is a kind's place in `ALL` and `WORDS`.
///
/// ```
/// airloom_sim::kinds! {
///     /// What to do with a packet.
///     pub enum Verdict {
///         /// It goes on.
///         Pass = "pass",
///         /// It goes no further.
///         Drop = "drop",
///     }
/// }
/// assert_eq!(Verdict::ALL, [Verdict::Pass, Verdict::Drop]);
/// assert_eq!(Verdict::WORDS, [("pass", Verdict::Pass), ("drop", Verdict::Drop)]);
/// assert_eq!((Verdict::Drop.name(), Verdict::Drop.index()), ("drop", 1));
/// ```
#[macro_export]
macro_rules! kinds {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $( $(#[doc = $kind_doc:literal])* $kind:ident = $word:literal, )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[doc = $kind_doc])* $kind, )*
        }

        impl $name {
            /// Every kind.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$kind),*];

            /// Every kind and the word for it.
            pub const WORDS: &[(&str, Self)] = &[$(($word, Self::$kind)),*];

            /// The word for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$kind => $word, )*
                }
            }

            /// Its place among all.
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}
