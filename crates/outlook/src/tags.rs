//! The ids of the properties that a message is made from (MS-OXPROPS).

macro_rules! tags {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        $($(#[$doc])* #[doc = concat!("`", stringify!($id), "`.")] pub const $name: u16 = $id;)*
    };
}

tags! {
    /// The class of the item: `IPM.Note` and its like.
    MESSAGE_CLASS = 0x001a,
    /// The subject, which may begin with U+0001 and the length of its prefix.
    SUBJECT = 0x0037,
    /// The header as it was received.
    TRANSPORT_MESSAGE_HEADERS = 0x007d,
    /// The plain text.
    BODY = 0x1000,
    /// The compressed RTF.
    RTF_COMPRESSED = 0x1009,
    /// The HTML.
    BODY_HTML = 0x1013,
    /// The name that is shown.
    DISPLAY_NAME = 0x3001,
    /// The content of an attachment.
    ATTACH_DATA = 0x3701,
    /// How an attachment is there: by value, by reference, as a message, as an object.
    ATTACH_METHOD = 0x3705,
    /// The code page of the message's HTML and of its way through the internet.
    INTERNET_CODE_PAGE = 0x3fde,
    /// The locale of the message.
    MESSAGE_LOCALE = 0x3ff1,
    /// The code page of the message's texts of octets.
    MESSAGE_CODE_PAGE = 0x3ffd,
}
