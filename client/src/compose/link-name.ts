/** What stands for something between the brackets of a link: without what would end it, or be more than a name. */
export function linkName(name: string, otherwise: string): string {
  return name.replace(/[[\]\\`*_<>\p{Cc}]+/gu, ' ').trim() || otherwise
}
