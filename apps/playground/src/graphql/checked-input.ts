import { createGraphQLError } from 'graphql-yoga';
import type * as z from 'zod';

/**
 * What GraphQL cannot say about an input, such as that an amount is positive.
 *
 * It is found out in the resolver, so the refusal is the answer of the mutation, and is replayed.
 */
export function checkedInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const { data, error } = schema.safeParse(input);
  if (!error) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw createGraphQLError(problems.join('. '), {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}
