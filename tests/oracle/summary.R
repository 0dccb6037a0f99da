# Point and error of the lines of the summary, from games alone, by matrices and loops instead of the closed
# forms of crates/stats/src/estimate. Base R.
#
#     Rscript tests/oracle/summary.R crates/stats/tests/suite/data
#
# writes pairs.csv, four events of known design, and summary.csv, what is said of them.
# `cargo test -p arbiter960-stats --test summary` compares.

folder <- commandArgs(TRUE)[1]
set.seed(27)

play <- function(event, positions, pairs, draws, engines, spread) {
  rows <- list()
  advantage <- rnorm(positions, 0.3, spread)
  for (p in seq_len(positions)) for (b in seq_len(engines)[-1]) for (a in seq_len(b - 1)) {
    for (k in seq_len(pairs[p])) {
      white <- plogis(advantage[p])
      game <- function() if (runif(1) < draws[p]) 0.5 else as.numeric(runif(1) < white)
      rows[[length(rows) + 1]] <- data.frame(
        event = event, start = p - 1, first = a - 1, second = b - 1, one = game(), other = game())
    }
  }
  do.call(rbind, rows)
}

games <- rbind(
  play("balanced", 30, rep(6, 30), rep(0.5, 30), 2, 0.4),
  play("unbalanced", 40, c(rep(80, 3), rep(2, 37)), c(rep(0.9, 3), rep(0.3, 37)), 2, 0.3),
  play("drawish", 100, rep(3, 100), rep(0.95, 100), 2, 0),
  play("many", 12, rep(2, 12), rep(0.6, 12), 5, 0.5))
write.csv(games, file.path(folder, "pairs.csv"), row.names = FALSE, quote = FALSE)

# The equation sum w (m - theta) = 0 with its CR2 variance and Bell and McCaffrey's degrees of freedom.
like <- function(m, w) {
  w <- w / sum(w)
  residuals <- diag(length(m)) - matrix(w, length(m), length(m), byrow = TRUE)
  omega <- residuals %*% t(residuals)
  factor <- w^2 / diag(omega)
  r <- as.vector(residuals %*% m)
  gram <- diag(sqrt(factor)) %*% omega %*% diag(sqrt(factor))
  lambda <- eigen(gram, symmetric = TRUE)$values
  c(theta = sum(w * m), variance = sum(factor * r^2), df = sum(lambda)^2 / sum(lambda^2))
}

these <- function(values) {
  count <- length(values)
  n <- sapply(values, length)
  v <- sapply(values, var) / n / count^2
  expected <- 1 / n / count^2
  c(variance = sum(v), df = sum(expected)^2 / sum(expected^2 / (n - 1)))
}

elo <- function(s) -400 * log10(1 / s - 1)
error <- function(theta, variance, df) 400 / log(10) / theta / (1 - theta) * qt(0.975, df) * sqrt(variance)

# The generalised Q by loops over different pairs.
spread <- function(values) {
  count <- length(values)
  n <- sapply(values, length)
  m <- sapply(values, mean)
  v <- sapply(values, var) / n
  centre <- mean(m)
  statistic <- var(m) - mean(v)
  second <- third <- around <- 0
  for (p in seq_along(values)) {
    s <- (values[[p]] - centre)^2
    two <- outer(s, s); diag(two) <- 0
    three <- 0
    for (i in seq_along(s)) for (j in seq_along(s)) for (k in seq_along(s))
      if (i != j && j != k && i != k) three <- three + s[i] * s[j] * s[k]
    products <- n[p] * (n[p] - 1)
    second <- second + 2 * sum(two) / products^2
    third <- third + 8 * three / products^3 - 8 * v[p]^3
    around <- around + sum(s) / n[p]^2
  }
  centring <- (diag(count) - 1 / count) / (count - 1)
  noise <- centring %*% diag(v)
  off <- centring; diag(off) <- 0
  unit <- mean(v * n)
  second <- max(second, 2 * unit^2 * sum(1 / n / (n - 1)))
  third <- max(third, 8 * unit^3 * sum((n - 2) / (n * (n - 1))^2) - 8 * sum(v^3))
  second <- second / count^2 + 2 * sum((off %*% diag(v)) * t(off %*% diag(v)))
  third <- max(0, third / count^3 + 8 * sum(diag(noise %*% noise %*% noise)))
  within <- min(1, sum(v) / around)
  tail <- function(tau2, share) {
    k2 <- second * share^2 + tau2 * 4 * mean(v) / (count - 1)
    k3 <- third * share^3 + tau2 * 24 * mean(v^2) / (count - 1)^2
    skewness <- k3 / k2^1.5
    z <- (statistic - tau2) / sqrt(k2)
    if (skewness < 0.01) return(pnorm(-z))
    shape <- 4 / skewness^2
    pgamma(shape + z * sqrt(shape), shape, lower.tail = FALSE)
  }
  end <- function(target) if (tail(0, within) >= target) 0 else
    sqrt(uniroot(function(t) tail(t, within) - target, c(0, 1), tol = 1e-14)$root)
  p <- tail(0, 1)
  c(p = unname(p), low = if (p > 0.025) 0 else unname(end(0.025)), high = unname(end(0.975)))
}

result <- list()
say <- function(event, what, value) result[[length(result) + 1]] <<-
  data.frame(event = event, what = what, value = format(unname(value), digits = 12))
for (event in unique(games$event)) {
  own <- games[games$event == event, ]
  white <- split((own$one + own$other) / 2, own$start)
  first <- split((own$one + 1 - own$other) / 2, own$start)
  m <- sapply(white, mean)
  all <- like(m, rep(1, length(m)))
  here <- these(white)
  say(event, "white_score", all["theta"])
  say(event, "white_elo", elo(all["theta"]))
  say(event, "white_error_all", error(all["theta"], all["variance"], all["df"]))
  say(event, "white_error_these", error(all["theta"], here["variance"], here["df"]))
  found <- spread(white)
  slope <- 400 / log(10) / all["theta"] / (1 - all["theta"])
  say(event, "spread_p", found["p"])
  say(event, "spread_lo", slope * found["low"])
  say(event, "spread_hi", slope * found["high"])
  if (event != "many") {
    engines <- like(sapply(first, mean), sapply(first, length))
    say(event, "first_elo", elo(engines["theta"]))
    say(event, "first_error", error(engines["theta"], engines["variance"], engines["df"]))
    say(event, "first_freedom", engines["df"])
  }
}
write.csv(do.call(rbind, result), file.path(folder, "summary.csv"), row.names = FALSE, quote = FALSE)
