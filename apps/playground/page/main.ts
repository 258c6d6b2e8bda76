// Both pages start here.
if (document.querySelector('#operation')) await import('./graphql-page.ts');
else await import('./pay-page.ts');
