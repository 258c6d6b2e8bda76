export {
  type Delivery,
  PostgresInbox,
  postgresInbox,
  type PostgresInboxOptions,
  type WorkContext,
} from './postgres-inbox.ts';
