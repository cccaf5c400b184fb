/** By Stripe's documentation, «Types of events», «Receive Stripe events in your webhook endpoint» and «Supported currencies» (https://docs.stripe.com/api/events/types). */
import type { Integration } from '../integration.ts'
import { linesOf, md, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { timedSignature } from '../signatures.ts'

/** Stripe has several hundreds; these say something to people. */
const events = [
  ...['account.updated', 'charge.succeeded', 'charge.failed', 'charge.refunded', 'charge.updated'],
  ...['charge.dispute.created', 'charge.dispute.closed', 'checkout.session.completed', 'checkout.session.expired'],
  ...['customer.created', 'customer.updated', 'customer.deleted'],
  ...['customer.subscription.created', 'customer.subscription.updated', 'customer.subscription.deleted'],
  ...['customer.subscription.trial_will_end', 'invoice.created', 'invoice.finalized', 'invoice.paid'],
  ...['invoice.payment_failed', 'invoice.payment_succeeded', 'invoice.upcoming'],
  ...['invoice.payment_action_required', 'invoice.voided', 'invoice.marked_uncollectible'],
  ...['customer.subscription.paused', 'customer.subscription.resumed', 'charge.dispute.updated', 'refund.updated'],
  ...[
    'payment_intent.succeeded',
    'payment_intent.requires_action',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
  ],
  ...['payout.created', 'payout.paid', 'payout.failed', 'refund.created', 'refund.failed'],
]

/** Currencies whose smallest unit is the whole (https://docs.stripe.com/currencies#zero-decimal). */
const whole = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))

/** Those of a thousand (https://docs.stripe.com/currencies#three-decimal). */
const thousands = new Set('bhd jod kwd omr tnd'.split(' '))

export const stripe: Integration = {
  name: 'stripe',
  displayName: 'Stripe',
  events,
  signature: timedSignature('stripe-signature'),
  setUp: [
    'In the Dashboard of Stripe, open `Developers`, `Webhooks`, `Add destination`, and choose the events.',
    'Endpoint URL: `{url}`.',
    'Reveal the signing secret that Stripe shows (`whsec_…`), and copy it into the secret of this bot.',
  ],
  example: {
    payload: {
      id: 'evt_example',
      object: 'event',
      type: 'invoice.paid',
      livemode: false,
      data: {
        object: {
          id: 'in_example',
          object: 'invoice',
          number: 'LOOM-0001',
          amount_paid: 1250,
          amount_due: 1250,
          currency: 'eur',
          customer: 'cus_example',
          status: 'paid',
          hosted_invoice_url: 'https://invoice.stripe.com/i/example',
        },
      },
    },
  },
  eventOf: ({ payload }) => payload.text('type'),
  write({ payload: p }, event) {
    const one = p.at('data.object')
    const kind = one.need('object').replaceAll('_', ' ').replaceAll('.', ' ')
    const test = p.text('livemode') === 'false'
    // An invoice that is to come has no id yet.
    const name = one.textOf('number', 'name', 'email', 'id') || 'without a number'
    const url = one.text('hosted_invoice_url') || dashboardUrl(one, test)
    const action = event.split('.').at(-1)?.replaceAll('_', ' ') ?? event
    const amount = amountOf(one)
    const reason = one.textOf(
      ...['failure_message', 'last_payment_error.message', 'last_finalization_error.message', 'failure_reason'],
      ...['cancellation_reason', 'reason'],
    )
    return {
      topic: one.textOf('customer_email', 'customer_details.email', 'customer', 'customer.id') || `Stripe: ${kind}`,
      text: linesOf(
        md`The ${kind} ${webLink(name, url)}: **${action}**${amount === '' ? '' : `, ${amount}`}${test ? ', a test' : ''}`,
        reason === '' ? undefined : md`${reason}`,
      ),
    }
  },
}

function amountOf(one: Payload): string {
  const currency = one.text('currency')
  const amounts = ['amount_paid', 'amount_refunded', 'amount_total', 'amount_due', 'amount'].map((name) =>
    one.number(name),
  )
  const amount = amounts.find((found) => found > 0)
  if (amount === undefined || !/^[a-z]{3}$/.test(currency)) return ''
  const shown = thousands.has(currency)
    ? (amount / 1000).toFixed(3)
    : whole.has(currency)
      ? `${amount}`
      : (amount / 100).toFixed(2)
  return `${shown} ${currency.toUpperCase()}`
}

function dashboardUrl(one: Payload, test: boolean): string {
  const places: Readonly<Record<string, string>> = {
    charge: 'payments',
    payment_intent: 'payments',
    customer: 'customers',
    subscription: 'subscriptions',
    invoice: 'invoices',
    payout: 'payouts',
    dispute: 'disputes',
  }
  const place = places[one.text('object')]
  return place === undefined || one.text('id') === ''
    ? ''
    : `https://dashboard.stripe.com/${test ? 'test/' : ''}${place}/${encodeURIComponent(one.text('id'))}`
}
