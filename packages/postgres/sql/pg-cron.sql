-- Lets the database drop the partitions of forgotten keys by itself, with pg_cron.
--
-- Run it as the owner of the tables, in the database that holds them. Replace `onceward` by the name
-- of your schema. Where pg_cron lives in another database, use cron.schedule_in_database.
--
-- It makes the partitions that will be needed, and drops those that are due. Records without a
-- partition, and answers past their retention, are left to `createMaintenance` of @onceward/server.
-- Both may run: whoever comes second finds nothing to do.
select cron.schedule('onceward-partitions', '*/10 * * * *', 'call onceward.prune_partitions()');
