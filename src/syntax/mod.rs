//! The header grammar, in nom: encoded-words, parameters, phrases, addresses. Knows no charset.
