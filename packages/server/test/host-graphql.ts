import { createRequire } from 'node:module';
import type * as Graphql from 'graphql';

/**
 * The copy of graphql that Yoga and the GraphQL tools load, as in any Node.js process. Vite would
 * give the tests another one, and graphql refuses schemas of another copy.
 */
export const graphql = createRequire(import.meta.url)('graphql') as typeof Graphql;

export const { buildSchema, execute, GraphQLError, parse, validate } = graphql;
export type GraphQLError = Graphql.GraphQLError;
