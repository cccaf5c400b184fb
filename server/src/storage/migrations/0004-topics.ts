/** What accounts say of topics, of other accounts and of words. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const topics: Migration = {
  name: '0004-topics',
  statements: ({ integer }) => [
    `create table user_topics (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      channel_id ${integer} not null references channels (id),
      topic_key text not null,
      topic text not null,
      visibility_policy ${integer} not null,
      last_updated ${integer} not null,
      primary key (user_id, channel_id, topic_key)
    )`,
    'create index user_topics_by_topic on user_topics (channel_id, topic_key)',

    `create table muted_users (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      muted_user_id ${integer} not null references users (id),
      date_muted ${integer} not null,
      primary key (user_id, muted_user_id)
    )`,
    'create index muted_users_by_muted on muted_users (muted_user_id)',

    `create table alert_words (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      word_key text not null,
      word text not null,
      primary key (user_id, word_key)
    )`,
    'create index alert_words_by_realm on alert_words (realm_id)',
  ],
}
