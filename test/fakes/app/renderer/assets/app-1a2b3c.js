document.title = 'ran';
