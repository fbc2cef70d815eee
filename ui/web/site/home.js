// The figure of the home page: processes that do nothing but yield. For each yield it shows the search of the run queue, the
// recalculation and the switch, and adds up their time. The numbers are the program's (home_data.py).
(() => {
  const figure = document.getElementById('yield-figure');
  const at = (id) => document.getElementById(id);
  const kMillisecondsPerMicrosecond = 150;  // of playback; so time on the screen is proportional to simulated time
  const kFirstTasks = 12;                   // home_data.py: the first tasks of a search, then the winner if it is none of them
  const kNames = { system: 'system call', search: 'search', recalc: 'recalculation', switch: 'switch', address_space: 'address space' };
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  const phone = matchMedia('(max-width: 40rem)');

  let numbers;          // made by home_data.py, in the page
  let longest;          // ns of the longest yield, which fills the bar
  let current;          // the figure of the chosen kernel and number of processes
  let yieldAt = 0;      // the current yield
  let time = 0;         // ns since its beginning
  let total = 0;        // ns of all yields before it
  let isPlaying = false, isVisible = true, last;

  function microseconds(ns, digits = 2) { return `${(ns / 1000).toFixed(digits)} us`; }

  function create(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function kernel() { return at('patch').checked ? 'patched' : 'original'; }
  function count() { return numbers.counts[at('processes').value]; }
  function lengthOf(one) { return one.parts.reduce((sum, [, ns]) => sum + ns, 0); }

  function choose() {
    current = numbers.figures[`${kernel()} ${count()}`];
    yieldAt = time = total = 0;
    at('count').textContent = count();
    at('processes').setAttribute('aria-valuetext', `${count()} processes`);
    at('mean').textContent = microseconds(current.mean);
    const other = numbers.figures[`${kernel() === 'patched' ? 'original' : 'patched'} ${count()}`];
    at('other').textContent = `(${kernel() === 'patched' ? 'without' : 'with'} the patch: ${microseconds(other.mean)}), one recalculation in ${Math.round(current.yields_per_recalculation)} yields`;
    at('command').textContent = current.command;
    if (reduced.matches) time = lengthOf(current.yields[0]);
    draw();
  }

  // The part of the work at this time of a yield: its name and the share of it that is done.
  function partAt(one, ns) {
    let begin = 0;
    for (const [name, length] of one.parts) {
      if (ns < begin + length) return { name, share: (ns - begin) / length };
      begin += length;
    }
    return { name: 'done', share: 1 };
  }

  function drawQueue(one, part, isSearched) {
    const seen = part.name === 'search' ? Math.floor(part.share * one.visited) : isSearched ? one.visited : -1;
    // The place of a task in the search: the first tasks are known; a task after them is the winner, visited at the end.
    const placeOf = (i) => (i < kFirstTasks ? i : one.visited - 1);
    const first = Math.min(one.order.length, phone.matches ? 4 : kFirstTasks), winner = one.order.indexOf(one.next);
    let best = -1;
    one.order.forEach((task, i) => { if (placeOf(i) <= seen && (best < 0 || one.goodness[i] > one.goodness[best])) best = i; });
    const cardOf = (i) => create('li', { className: `${placeOf(i) === seen ? 'visited' : ''} ${i === best ? 'best' : ''}` },
                                 create('b', { textContent: `process ${one.order[i] + 1}${i === best ? ', best' : ''}` }),
                                 create('span', { textContent: `goodness ${one.goodness[i]}` }));
    const cards = one.order.slice(0, first).map((task, i) => cardOf(i));
    const left = one.visited - first - (winner >= first ? 1 : 0);
    const isSeen = seen >= first && seen < one.visited && (winner < first || seen !== placeOf(winner));
    if (left > 0) cards.push(create('li', { className: `more ${isSeen ? 'visited' : ''}`, textContent: `+ ${left} more` }));
    if (winner >= first) cards.push(cardOf(winner));
    at('queue').replaceChildren(...cards);
  }

  function sentence(one, part, before) {
    const next = `process ${one.next + 1}`, prev = `process ${before + 1}`;
    return {
      system: `${prev} calls sched_yield(): it gives up the CPU and ${kernel() === 'patched' ? 'one tick' : 'all'} of its slice.`,
      search: `schedule() looks for the highest goodness: it visits all ${one.visited} tasks of the run queue.`,
      recalc: `No runnable task has any slice left: the counters of all ${one.recalculated} tasks are recalculated, also of the ${one.recalculated - one.visited} that sleep.`,
      switch: `The context switch: the CPU loads the registers and the stack of ${next}.`,
      address_space: `${next} has another address space, so its page tables are loaded too, and the TLB is flushed and must be refilled.`,
      done: one.next === before ? `${next} goes on running: it has the highest goodness itself.` : `${next} runs.`,
    }[part.name];
  }

  function draw() {
    const one = current.yields[yieldAt];
    const before = yieldAt > 0 ? current.yields[yieldAt - 1].next : 0;
    const part = partAt(one, time);
    const order = one.parts.map(([name]) => name);
    const isSearched = part.name === 'done' || order.indexOf(part.name) > order.indexOf('search');
    const hasSwitched = part.name === 'done' || part.name === 'address_space';
    at('running').textContent = `process ${(hasSwitched ? one.next : before) + 1}`;
    at('clock').textContent = microseconds(total + time);
    drawQueue(one, part, isSearched);
    at('happens').textContent = sentence(one, part, before);
    let left = time;
    const bars = [], legend = [];
    const shown = Object.fromEntries(one.parts);
    for (const name of Object.keys(kNames)) {
      const ns = Math.max(0, Math.min(left, shown[name] || 0));
      left -= ns;
      const bar = create('span', { className: `cost ${name}` });
      bar.style.width = `${100 * ns / longest}%`;
      bars.push(bar);
      legend.push(create('li', { className: name }, create('span', { className: `cost ${name}` }), `${kNames[name]} `, create('b', { textContent: microseconds(ns) })));
    }
    at('costs').replaceChildren(...bars);
    at('legend').replaceChildren(...legend);
    figure.dataset.yield = String(yieldAt);
  }

  function nextYield() {
    total += lengthOf(current.yields[yieldAt]);
    yieldAt += 1;
    time = 0;
    if (yieldAt === current.yields.length) yieldAt = total = 0;
  }

  function frame(now) {
    if (!isPlaying || !isVisible) {
      last = undefined;
      return;
    }
    if (last !== undefined) {
      time += Math.min(100, now - last) / kMillisecondsPerMicrosecond * 1000;
      // The result stays for 0.4 s.
      if (time >= lengthOf(current.yields[yieldAt]) + 400 / kMillisecondsPerMicrosecond * 1000) nextYield();
      draw();
    }
    last = now;
    requestAnimationFrame(frame);
  }

  function play(on) {
    isPlaying = on;
    at('play').textContent = on ? 'Pause' : 'Play';
    at('play').setAttribute('aria-label', on ? 'Pause the figure' : 'Play the figure');
    if (on) requestAnimationFrame(frame);
  }

  // A step ends the current yield, or does the next one if it has ended.
  function step() {
    play(false);
    if (time >= lengthOf(current.yields[yieldAt])) nextYield();
    time = lengthOf(current.yields[yieldAt]);
    draw();
  }

  function begin() {
    numbers = JSON.parse(at('numbers').textContent);
    longest = Math.max(...Object.values(numbers.figures).flatMap((figure) => figure.yields.map(lengthOf)));
    at('processes').max = numbers.counts.length - 1;
    at('processes').addEventListener('input', choose);
    at('patch').addEventListener('change', choose);
    at('play').addEventListener('click', () => play(!isPlaying));
    at('step').addEventListener('click', step);
    new IntersectionObserver((entries) => {
      isVisible = entries.at(-1).isIntersecting;
      if (isVisible && isPlaying) requestAnimationFrame(frame);
    }).observe(figure);
    choose();
    figure.classList.add('live');
    performance.mark('first moving picture');
    play(!reduced.matches);
  }

  begin();
})();
