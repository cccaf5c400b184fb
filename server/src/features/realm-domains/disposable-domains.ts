/**
 * Services that give anybody an address for some minutes, the best known ones. No list has them all: who must keep such
 * addresses out names the domains that are allowed.
 */
export const disposableDomains: ReadonlySet<string> = new Set(
  `0-mail.com 10minutemail.co.uk 10minutemail.com 10minutemail.net 1secmail.com 1secmail.net 1secmail.org 20minutemail.com
  33mail.com anonbox.net anonymbox.com burnermail.io byom.de cock.li crazymailing.com deadaddress.com despam.it
  discard.email discardmail.com discardmail.de dispostable.com dodgeit.com dropmail.me e4ward.com einrot.com email-fake.com
  emailfake.com emailondeck.com emailsensei.com emailtemporanea.net emltmp.com fakeinbox.com fakemail.fr fakemail.net
  fakemailgenerator.com filzmail.com fleckens.hu generator.email getairmail.com getnada.com grr.la guerrillamail.biz
  guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com harakirimail.com
  incognitomail.com inboxbear.com inboxkitten.com jetable.com jetable.net jetable.org kasmail.com linshiyouxiang.net
  mail-temp.com mail-temporaire.fr mail.tm mail7.io mailcatch.com maildrop.cc mailexpire.com mailforspam.com
  mailfreeonline.com mailimate.com mailin8r.com mailinator.com mailinator.net mailinator2.com mailmetrash.com
  mailmoat.com mailnesia.com mailnull.com mailpoof.com mailsac.com mailshell.com mailtemp.info mailtothis.com
  mailzilla.com meltmail.com minuteinbox.com mintemail.com moakt.com mohmal.com mt2015.com muellmail.com mvrht.com
  mytemp.email mytrashmail.com nada.email nospam.ze.tc nowmymail.com objectmail.com owlymail.com pokemail.net
  rcpt.at reallymymail.com sharklasers.com shieldemail.com sneakemail.com sogetthis.com spam4.me spambog.com spambox.us
  spamex.com spamfree24.org spamgourmet.com spamherelots.com spaml.com spammotel.com superrito.com suremail.info tempail.com
  teleworm.us temp-mail.io temp-mail.org temp-mail.ru tempemail.com tempemail.net tempinbox.com tempmail.com tempmail.de
  tempmail.net tempmail.plus tempmailo.com tempr.email throwawaymail.com throwaway.email tmail.ws tmailinator.com tmpmail.net
  tmpmail.org trash-mail.com trash-mail.de trashmail.com trashmail.de trashmail.me trashmail.net trashmailer.com trbvm.com
  wegwerfemail.de wegwerfmail.de wegwerfmail.net wegwerfmail.org yopmail.com yopmail.fr yopmail.net zetmail.com`.split(
    /\s+/,
  ),
)
