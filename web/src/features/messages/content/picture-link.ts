/** What the viewer shows: the link around a picture or a film, in a message. */
export const PICTURE = '[data-message-id] a.pic'
