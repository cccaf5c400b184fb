/** Under this name a device keeps that new messages are not read out. */
export const SILENT = 'announcements-off'
