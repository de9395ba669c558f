const app = document.querySelector('#app');

app.innerHTML = `
  <h1>App</h1>
  <p>Edit src/main.js to begin.</p>
`;
