//! The ids of the properties that a message is made from (MS-OXPROPS).

macro_rules! tags {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        $($(#[$doc])* #[doc = concat!("`", stringify!($id), "`.")] pub const $name: u16 = $id;)*
    };
}

tags! {
    /// The class of the item: `IPM.Note` and its like.
    MESSAGE_CLASS = 0x001a,
    /// How important the message is: 0, 1 or 2.
    IMPORTANCE = 0x0017,
    /// Whether a receipt is asked for.
    READ_RECEIPT_REQUESTED = 0x0029,
    /// How private the message is: 0 to 3.
    SENSITIVITY = 0x0036,
    /// The subject, which may begin with U+0001 and the length of its prefix.
    SUBJECT = 0x0037,
    /// When the message was sent.
    CLIENT_SUBMIT_TIME = 0x0039,
    /// The prefix of the subject: `RE: ` and its like.
    SUBJECT_PREFIX = 0x003d,
    /// For whom the message was sent.
    SENT_REPRESENTING_ENTRY_ID = 0x0041,
    /// For whom the message was sent.
    SENT_REPRESENTING_NAME = 0x0042,
    /// Who gets replies.
    REPLY_RECIPIENT_ENTRIES = 0x004f,
    /// The names of those who get replies.
    REPLY_RECIPIENT_NAMES = 0x0050,
    /// The kind of address for whom the message was sent.
    SENT_REPRESENTING_ADDRESS_TYPE = 0x0064,
    /// The address for whom the message was sent.
    SENT_REPRESENTING_EMAIL_ADDRESS = 0x0065,
    /// The subject of the conversation.
    CONVERSATION_TOPIC = 0x0070,
    /// The place in the conversation.
    CONVERSATION_INDEX = 0x0071,
    /// The header as it was received.
    TRANSPORT_MESSAGE_HEADERS = 0x007d,
    /// What a recipient is: 1 for To, 2 for Cc, 3 for Bcc.
    RECIPIENT_TYPE = 0x0c15,
    /// Why a message was not delivered, as a number.
    NON_DELIVERY_REASON_CODE = 0x0c04,
    /// More on why a message was not delivered, as a number.
    NON_DELIVERY_DIAGNOSTIC_CODE = 0x0c05,
    /// Who sent the message.
    SENDER_ENTRY_ID = 0x0c19,
    /// Who sent the message.
    SENDER_NAME = 0x0c1a,
    /// What the server that refused a message said.
    SUPPLEMENTARY_INFO = 0x0c1b,
    /// The kind of address of who sent the message.
    SENDER_ADDRESS_TYPE = 0x0c1e,
    /// The address of who sent the message.
    SENDER_EMAIL_ADDRESS = 0x0c1f,
    /// The status of a delivery, as a decimal number of three digits.
    NON_DELIVERY_STATUS_CODE = 0x0c20,
    /// The server that reported on a delivery.
    REMOTE_MTA = 0x0c21,
    /// When the message arrived.
    MESSAGE_DELIVERY_TIME = 0x0e06,
    /// The flags of the message.
    MESSAGE_FLAGS = 0x0e07,
    /// The subject without its prefix.
    NORMALIZED_SUBJECT = 0x0e1d,
    /// The entry of a recipient.
    ENTRY_ID = 0x0fff,
    /// The plain text.
    BODY = 0x1000,
    /// The text of a report.
    REPORT_TEXT = 0x1001,
    /// The compressed RTF.
    RTF_COMPRESSED = 0x1009,
    /// The HTML.
    BODY_HTML = 0x1013,
    /// The id of the message.
    INTERNET_MESSAGE_ID = 0x1035,
    /// The ids of the messages before.
    INTERNET_REFERENCES = 0x1039,
    /// The id of the message that was answered.
    IN_REPLY_TO_ID = 0x1042,
    /// The name that is shown.
    DISPLAY_NAME = 0x3001,
    /// The kind of address.
    ADDRESS_TYPE = 0x3002,
    /// The address.
    EMAIL_ADDRESS = 0x3003,
    /// When it was made.
    CREATION_TIME = 0x3007,
    /// When it was last changed.
    LAST_MODIFICATION_TIME = 0x3008,
    /// The content of an attachment.
    ATTACH_DATA = 0x3701,
    /// The name of an attachment, in 8.3 characters.
    ATTACH_NAME = 0x3704,
    /// How an attachment is there: by value, by reference, as a message, as an object.
    ATTACH_METHOD = 0x3705,
    /// The name of an attachment.
    ATTACH_LONG_NAME = 0x3707,
    /// The path of an attachment that is elsewhere.
    ATTACH_PATH = 0x3708,
    /// The path of an attachment that is elsewhere.
    ATTACH_LONG_PATH = 0x370d,
    /// The media type of an attachment.
    ATTACH_MIME_TYPE = 0x370e,
    /// The id by which HTML names an attachment.
    ATTACH_CONTENT_ID = 0x3712,
    /// The place by which HTML names an attachment.
    ATTACH_CONTENT_LOCATION = 0x3713,
    /// The flags of an attachment: bit 2 for one that is shown in the HTML.
    ATTACH_FLAGS = 0x3714,
    /// Whether an attachment is not shown among the attachments.
    ATTACHMENT_HIDDEN = 0x7ffe,
    /// The SMTP address of a recipient.
    SMTP_ADDRESS = 0x39fe,
    /// The code page of the message's HTML and of its way through the internet.
    INTERNET_CODE_PAGE = 0x3fde,
    /// The locale of the message.
    MESSAGE_LOCALE = 0x3ff1,
    /// The code page of the message's texts of octets.
    MESSAGE_CODE_PAGE = 0x3ffd,
    /// The SMTP address of who sent the message.
    SENDER_SMTP_ADDRESS = 0x5d01,
    /// The SMTP address for whom the message was sent.
    SENT_REPRESENTING_SMTP_ADDRESS = 0x5d02,
}

/// The numbers and ids of contacts.
pub(crate) mod contact {
    pub(crate) const GENERATION: u16 = 0x3a05;
    pub(crate) const GIVEN_NAME: u16 = 0x3a06;
    pub(crate) const BUSINESS_TELEPHONE: u16 = 0x3a08;
    pub(crate) const HOME_TELEPHONE: u16 = 0x3a09;
    pub(crate) const SURNAME: u16 = 0x3a11;
    pub(crate) const COMPANY: u16 = 0x3a16;
    pub(crate) const TITLE: u16 = 0x3a17;
    pub(crate) const DEPARTMENT: u16 = 0x3a18;
    pub(crate) const MOBILE_TELEPHONE: u16 = 0x3a1c;
    pub(crate) const BUSINESS_FAX: u16 = 0x3a24;
    pub(crate) const PAGER: u16 = 0x3a21;
    pub(crate) const BIRTHDAY: u16 = 0x3a42;
    pub(crate) const MIDDLE_NAME: u16 = 0x3a44;
    pub(crate) const NAME_PREFIX: u16 = 0x3a45;
    pub(crate) const NICKNAME: u16 = 0x3a4f;
    pub(crate) const BUSINESS_PAGE: u16 = 0x3a51;
    pub(crate) const HOME_CITY: u16 = 0x3a59;
    pub(crate) const HOME_COUNTRY: u16 = 0x3a5a;
    pub(crate) const HOME_POSTAL_CODE: u16 = 0x3a5b;
    pub(crate) const HOME_STATE: u16 = 0x3a5c;
    pub(crate) const HOME_STREET: u16 = 0x3a5d;
}
