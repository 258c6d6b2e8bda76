import type { Fault } from './graphql-server.ts';

const respond =
  (status: number, type: string, body: string): Fault =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

/** What stands between a client and a GraphQL server, on a bad day. */
export const httpFaults: [string, Fault][] = [
  ['an HTML page with 502', respond(502, 'text/html', '<html>Bad gateway')],
  ['an HTML page with 503', respond(503, 'text/html', '<html>Unavailable')],
  ['an empty 503', (response) => void response.writeHead(503).end()],
  ['JSON of a gateway with 503', respond(503, 'application/json', '{"message":"no upstream"}')],
  ['GraphQL errors of a gateway with 504', respond(504, 'application/json', gatewayErrors())],
  [
    'GraphQL errors of a gateway with 504 as graphql-response+json',
    respond(504, 'application/graphql-response+json', gatewayErrors()),
  ],
  ['JSON of a gateway with 429', respond(429, 'application/json', '{"message":"slow down"}')],
  ['an HTML page with 200', respond(200, 'text/html', '<html>Welcome to our hotel')],
  ['JSON with 200 that is no result', respond(200, 'application/json', '{"hello":"world"}')],
  ['a connection that is reset', (_, request) => void request.socket.destroy()],
  [
    'half an answer',
    (response, request) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"data":{"pa', () => request.socket.destroy());
    },
  ],
];

function gatewayErrors(): string {
  return JSON.stringify({ errors: [{ message: 'upstream timed out' }] });
}
