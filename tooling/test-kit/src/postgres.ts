export { type PostgresServer, startPostgresServer } from "./lib/postgres-server.ts";
