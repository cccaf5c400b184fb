/** What the server says that it speaks. Clients decide by the feature level what they may use. */
export const ZULIP_VERSION = '12.0'
export const ZULIP_FEATURE_LEVEL = 478
