//! Remembering the last answer to a question.

use std::sync::Mutex;

/// The last answer to a question, for who asks the same one again: an edit changes little of what a plan is made from.
///
/// It changes no result, only how soon it is there. A clone begins with nothing.
#[derive(Debug)]
pub(crate) struct Memo<Question, Answer>(Mutex<Option<(Question, Answer)>>);

impl<Question, Answer: Clone> Memo<Question, Answer> {
    /// The answer to this question, if it is the one that was asked last.
    pub(crate) fn get<Asked: ?Sized>(&self, question: &Asked) -> Option<Answer>
    where
        Question: PartialEq<Asked>,
    {
        let last = self.0.lock().ok()?;
        last.as_ref().filter(|(asked, _)| asked == question).map(|(_, answer)| answer.clone())
    }

    /// Remembers an answer, and forgets the one before.
    pub(crate) fn put(&self, question: Question, answer: Answer) {
        if let Ok(mut last) = self.0.lock() {
            *last = Some((question, answer));
        }
    }
}

impl<Question, Answer> Default for Memo<Question, Answer> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<Question, Answer> Clone for Memo<Question, Answer> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
